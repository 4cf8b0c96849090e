import { Link } from 'react-router'
import { useConnection, useOperations } from '../../sync/react.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Queueing } from './use-queueing.ts'
import { importWords as words, type accountImportWords, type planImportWords } from './words.ts'

interface ImportedProps {
  queueing: Queueing
  say: typeof accountImportWords | typeof planImportWords
  list: string
  onAgain: () => void
}

/** What was saved, and how far it is on its way. */
export function Imported({ queueing: { ids, ended }, say, list, onAgain }: ImportedProps) {
  const offline = useConnection() === 'offline'
  const operations = useOperations()
  const mine = new Set(ids)
  const waiting = operations.filter(
    ({ state, input }) =>
      state !== 'acknowledged' && mine.has((input.body as { id?: string } | undefined)?.id ?? ''),
  )
  const attention = waiting.filter(({ state }) => state === 'attention').length
  return (
    <div className="mt-6 flex flex-col gap-4">
      {ended !== undefined && <Notice tone="warn">{ended}</Notice>}
      <output className="text-sm text-ink-muted">
        <span className="block text-lg font-semibold text-ink">{say.done(ids.length)}</span>
        {ids.length > 0 && (
          <span className="block tabular-nums">
            {offline && waiting.length > 0
              ? words.sentOffline
              : words.sent(ids.length - waiting.length, ids.length)}
          </span>
        )}
        {attention > 0 && <span className="block">{words.attention(attention)}</span>}
      </output>
      <div className="flex flex-wrap gap-2">
        <Link to={list} className={buttonClass('primary')}>
          {say.show}
        </Link>
        <Button onClick={onAgain}>{words.another}</Button>
      </div>
    </div>
  )
}
