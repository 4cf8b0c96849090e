import { Link } from 'react-router'
import { useConnection, useOperations } from '../../sync/react/use-sync.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/display/notice.tsx'
import type { ImportProgress } from './use-import-queue.ts'
import { importMessages as messages, type ImportKindMessages } from './messages.ts'

interface ImportResultProps {
  progress: ImportProgress
  messages: ImportKindMessages
  list: string
  onAgain: () => void
}

/** How many records were saved, and how many of them have been sent. */
export function ImportResult({
  progress: { ids, error },
  messages: listMessages,
  list,
  onAgain,
}: ImportResultProps) {
  const offline = useConnection() === 'offline'
  const operations = useOperations()
  const importedIds = new Set(ids)
  const pending = new Set<string>()
  const attention = new Set<string>()
  // A plan also has updates and changes that bring it to its status.
  for (const { state, input } of operations)
    for (const id of [(input.body as { id?: string } | undefined)?.id, input.path?.['id']]) {
      if (id === undefined || state === 'acknowledged' || !importedIds.has(id)) continue
      pending.add(id)
      if (state === 'attention') attention.add(id)
    }
  return (
    <div className="mt-6 flex flex-col gap-4">
      {error !== undefined && <Notice tone="warn">{error}</Notice>}
      <output className="text-sm text-ink-muted">
        <span className="block text-lg font-semibold text-ink">
          {listMessages.done(ids.length)}
        </span>
        {ids.length > 0 && (
          <span className="block tabular-nums">
            {offline && pending.size > 0
              ? messages.sentOffline
              : messages.sent(ids.length - pending.size, ids.length)}
          </span>
        )}
        {attention.size > 0 && <span className="block">{messages.attention(attention.size)}</span>}
      </output>
      <div className="flex flex-wrap gap-2">
        <Link to={list} className={buttonClass('primary')}>
          {listMessages.show}
        </Link>
        <Button onClick={onAgain}>{messages.another}</Button>
      </div>
    </div>
  )
}
