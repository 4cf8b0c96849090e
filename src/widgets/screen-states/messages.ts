import type { Messages } from '../../../contract/text/catalogue.ts'

/** Texts of the states that all screens share. */
export const screenStateMessages = {
  notUnderstood: 'The server does not answer as agreed. Nothing is lost.',
} as const satisfies Messages
