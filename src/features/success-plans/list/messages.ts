import type { Messages } from '../../../../contract/text/catalogue.ts'

/** Texts of the menu of the plan list. */
export const listMenuMessages = {
  review: 'Review',
  more: 'More for this list',
  select: 'Select plans',
  exportShown: 'Export as CSV',
  nothingToExport: 'There are no plans yet.',
  exportFailed: 'The file could not be made. Reload the page and try again.',
  import: 'Import plans',
} as const satisfies Messages
