import type { Messages } from '../../../contract/text/catalogue.ts'
import { formatNumber } from '../text/format.ts'

/** Texts of tables. */
export const listMessages = {
  selectAll: 'Select all',
  groupSize: formatNumber,
  filter: (active: number) => (active === 0 ? 'Filter' : `Filter (${formatNumber(active)})`),
  clearFilters: 'Clear filters',
  noFilter: 'No filter is set.',
} as const satisfies Messages
