import type { Renewal } from '../../../contract/schemas/accounts.ts'
import { outcomeMessages as messages } from './messages.ts'

interface RenewalHistoryProps {
  renewals: readonly Renewal[] | undefined
  nameOf: (user_id: string | null) => string | undefined
}

/** The outcomes of an account's renewals, the latest first; nothing without any. */
export function RenewalHistory({ renewals, nameOf }: RenewalHistoryProps) {
  if (!renewals || renewals.length === 0) return null
  return (
    <section>
      <h2 className="text-sm font-semibold">{messages.history}</h2>
      <ol className="mt-2 flex flex-col gap-3 text-sm">
        {renewals.toReversed().map((renewal) => (
          <li key={renewal.id}>
            {renewal.due !== null && (
              <time dateTime={renewal.due} className="text-ink-muted tabular-nums">
                {messages.day(renewal.due)}
              </time>
            )}
            <span className="block font-semibold">{outcomeOf(renewal)}</span>
            {renewal.note && (
              <span dir="auto" className="block whitespace-pre-wrap">
                {renewal.note}
              </span>
            )}
            <span className="block text-ink-faint">
              {messages.recorded(nameOf(renewal.user_id), renewal.recorded_at)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function outcomeOf({ outcome, amount, currency, next_date }: Renewal): string {
  if (outcome === 'churned') return messages.churned
  if (outcome === 'moved') return messages.movedTo(next_date)
  const money = amount === null || currency === null ? undefined : messages.money(amount, currency)
  return messages.renewedAt(money, next_date)
}
