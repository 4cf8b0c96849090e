import type { Messages } from '../../../contract/text/catalogue.ts'

/** Texts of the menu of a list, and of its export. */
export const listMenuMessages = {
  more: 'More for this list',
  export: 'Export as CSV',
  exportFailed: 'The file could not be made. Reload the page and try again.',
} as const satisfies Messages
