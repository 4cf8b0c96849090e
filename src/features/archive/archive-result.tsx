import { Link } from 'react-router'
import { useConnection, useOperations } from '../../sync/react/use-sync.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/display/notice.tsx'
import type { ImportProgress } from '../import/use-import-queue.ts'
import { archiveMessages as messages } from './messages.ts'

interface ArchiveResultProps {
  progress: ImportProgress
  onAgain: () => void
}

/** How many changes were saved, and how many of them have been sent. */
export function ArchiveResult({ progress: { ids, error }, onAgain }: ArchiveResultProps) {
  const offline = useConnection() === 'offline'
  const saved = new Set(ids)
  const pending = useOperations().filter(
    ({ id, state }) => state !== 'acknowledged' && saved.has(id),
  )
  const attention = pending.filter(({ state }) => state === 'attention').length
  return (
    <div className="mt-6 flex flex-col gap-4">
      {error !== undefined && <Notice tone="warn">{error}</Notice>}
      <output className="text-sm text-ink-muted">
        <span className="block text-lg font-semibold text-ink">{messages.done(ids.length)}</span>
        {ids.length > 0 && (
          <span className="block tabular-nums">
            {offline && pending.length > 0
              ? messages.sentOffline
              : messages.sent(ids.length - pending.length, ids.length)}
          </span>
        )}
        {attention > 0 && <span className="block">{messages.attention(attention)}</span>}
      </output>
      <div className="flex flex-wrap gap-2">
        <Link to="/success-plans" className={buttonClass('primary')}>
          {messages.show}
        </Link>
        <Button onClick={onAgain}>{messages.another}</Button>
      </div>
    </div>
  )
}
