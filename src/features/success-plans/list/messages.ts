import type { Messages } from '../../../../contract/text/catalogue.ts'

/** Texts of the menu of the plan list. */
export const listMenuMessages = {
  review: 'Review',
  select: 'Select plans',
  nothingToExport: 'There are no plans yet.',
  import: 'Import plans',
} as const satisfies Messages
