import type { Messages } from '../../../contract/text/catalogue.ts'

/** Texts of the error screens. */
export const errorMessages = {
  notFound: 'Page Not Found',
  notFoundText: 'There is nothing at',
  serverError: 'Internal Server Error',
  lead: 'This screen stopped working. What you wrote and your unsent changes are safe on this device.',
  chunkTitle: 'This screen could not be loaded',
  tryAgain: 'Try again',
  toPlans: 'Go to success plans',
} as const satisfies Messages
