import type { Messages } from '../../../contract/text/catalogue.ts'
import { formatPercent } from '../text/format.ts'

/** What a bar of progress says. Apart from the kit's other texts: the first screen needs no numbers. */
export const progressMessages = {
  percent: formatPercent,
  progressOf: (value: number, expected: number) =>
    `${formatPercent(value)}, ${formatPercent(expected)} of the time gone`,
} as const satisfies Messages
