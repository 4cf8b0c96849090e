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

/** Texts of the filters of plans. */
export const planFilterMessages = {
  anyOwner: 'Any owner',
  anyAccount: 'Any account',
  anyEnd: 'Any end date',
  you: 'You',
  ends: {
    passed: 'Date has passed',
    '30': 'Within 30 days',
    '90': 'Within 90 days',
    none: 'No end date',
  },
  end: 'End date',
} as const satisfies Messages
