import type { Messages } from '../../../contract/text/catalogue.ts'
import { isolate } from '../../../contract/text/sentence.ts'
import { formatCount, formatList, formatPercent } from '../../ui/text/format.ts'

/** Texts of the summary shown after an absence. */
export const awayMessages = {
  title: 'While you were away',
  dismiss: 'Dismiss what happened while you were away',
  updateBy: (names: readonly string[], updates: number, body: string) => {
    const who =
      updates > 1 ? `${formatList(names)}, ${formatCount(updates, 'update')}` : formatList(names)
    return body === '' ? `${who} changed it` : `${who}: ${isolate(body)}`
  },
  fromTo: (from: string, to: string) => `${from} → ${to}`,
  percent: formatPercent,
  more: (plans: number) => `Show ${formatCount(plans, 'more plan')}`,
} as const satisfies Messages
