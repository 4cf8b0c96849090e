import type { Messages } from '../../../contract/text/catalogue.ts'
import { formatNumber } from '../text/format.ts'

/** Texts of tables, and of the controls above lists. */
export const listMessages = {
  selectAll: 'Select all',
  groupSize: formatNumber,
  filter: (active: number) => (active === 0 ? 'Filter' : `Filter (${formatNumber(active)})`),
  filters: 'Filters',
  search: 'Search',
  clearFilters: 'Clear filters',
  noFilter: 'No filter is set.',
  otherValue: 'Other',
  closePreview: 'Close the preview',
} as const satisfies Messages
