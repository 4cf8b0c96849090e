import type { Messages } from '../../../contract/text/catalogue.ts'
import { formatNumber } from '../text/format.ts'

/** Texts of tables. */
export const listMessages = {
  selectAll: 'Select all',
  groupSize: formatNumber,
} as const satisfies Messages
