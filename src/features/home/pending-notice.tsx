import { Clock3, TriangleAlert } from 'lucide-react'
import type { Operation } from '../../sync/core/operation.ts'
import { useAllOperations, useConnection } from '../../sync/react/use-sync.ts'
import { titleOf } from '../../data/operations/describe-operation.ts'
import { useRecordNames } from '../../data/operations/use-record-names.ts'
import { useOperationContext } from '../../widgets/operations/use-operation-context.ts'
import { homeMessages as messages } from './messages.ts'

const SHOWN_OPERATIONS = 3

/**
 * Says what the server has not received yet; nothing if everything is synced. The sync centre offers
 * what can be done.
 */
export function PendingNotice() {
  const connection = useConnection()
  const nameOf = useRecordNames()
  const pending = useAllOperations().filter(({ state }) => state !== 'acknowledged')
  const rejected = pending.filter(({ state }) => state === 'attention')
  if (pending.length === 0) return null
  const listed = rejected.length > 0 ? rejected : pending
  const Icon = rejected.length > 0 ? TriangleAlert : Clock3
  return (
    <section
      aria-label={messages.waiting}
      className={`flex gap-x-3 rounded-lg border border-transparent px-4 py-3 text-sm ${rejected.length > 0 ? 'bg-glow-soft text-glow-ink' : 'bg-offline text-offline-ink'}`}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0">
        <p>
          <span className="font-semibold">
            {rejected.length > 0
              ? messages.attention(rejected.length)
              : messages.changes(pending.length)}
          </span>
          {rejected.length === 0 && ` · ${messages.sent[connection]}`}
        </p>
        <ul>
          {listed.slice(0, SHOWN_OPERATIONS).map((operation) => (
            <Pending key={operation.seq} operation={operation} title={titleOf(operation, nameOf)} />
          ))}
        </ul>
        {listed.length > SHOWN_OPERATIONS && (
          <p>{messages.andMore(listed.length - SHOWN_OPERATIONS)}</p>
        )}
      </div>
    </section>
  )
}

/** One operation; of another organisation with its name, as the names of its records are not known here. */
function Pending({ operation, title }: { operation: Operation; title: string }) {
  const { is_active, organisation } = useOperationContext(operation)
  return <li className="truncate">{is_active ? title : `${title} · ${organisation}`}</li>
}
