import type { Messages } from '../../../contract/text/catalogue.ts'
import { formatPercent } from '../text/format.ts'

/** Texts of progress bars. Separate from the other UI texts: the first screen loads no number format. */
export const progressMessages = {
  percent: formatPercent,
  progressOf: (value: number, expected: number) =>
    `${formatPercent(value)}, ${formatPercent(expected)} of the time gone`,
} as const satisfies Messages
