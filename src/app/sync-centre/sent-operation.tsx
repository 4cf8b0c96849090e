import { Check } from 'lucide-react'
import { titleOf } from '../../data/operations/describe-operation.ts'
import type { SentEntry } from '../../sync/core/sent-log.ts'
import { syncMessages as messages } from './messages.ts'

interface SentOperationProps {
  sent: SentEntry
  nameOf: (id: string) => string | undefined
}

/** One operation that has reached the server, with the times of writing and sending. */
export function SentOperation({ sent, nameOf }: SentOperationProps) {
  return (
    <li className="flex items-start gap-2.5 py-2 text-sm">
      <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2">{titleOf(sent, nameOf)}</p>
        <p className="text-ink-faint tabular-nums">
          {messages.sentAt(sent.created_at, sent.sent_at)}
          {sent.merged && ` · ${messages.merged}`}
        </p>
      </div>
    </li>
  )
}
