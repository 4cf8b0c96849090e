import type { LeftOut, RecordChange } from './record-change.ts'
import { manyMessages as messages, type CountOf } from './messages.ts'

/** More names would push the buttons off a small screen. */
const NAMES_SHOWN = 8

interface LeftOutListProps {
  records: readonly LeftOut[]
  change: RecordChange
  countOf: CountOf
}

/** The records that a change leaves out, each with its reason; nothing if it changes all. */
export function LeftOutList({ records, change, countOf }: LeftOutListProps) {
  if (records.length === 0) return null
  return (
    <div className="text-sm text-ink-muted">
      <p className="font-semibold text-ink">
        {messages.leftOut(countOf(records.length), records.length === 1)}
      </p>
      <ul className="mt-1 list-disc ps-5">
        {records.slice(0, NAMES_SHOWN).map((one) => (
          <li key={one.record.id} className="break-words">
            {messages.leftOutRecord(one, change)}
          </li>
        ))}
      </ul>
      {records.length > NAMES_SHOWN && <p>{messages.leftOutMore(records.length - NAMES_SHOWN)}</p>}
    </div>
  )
}
