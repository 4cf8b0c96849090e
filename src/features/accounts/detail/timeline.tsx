import { useState } from 'react'
import { Link } from 'react-router'
import { useSendingIds } from '../../../sync/react/use-sync.ts'
import type { TimelineEntry } from '../../../data/success-plans/updates-of-plans.ts'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { Avatar } from '../../../ui/display/avatar.tsx'
import { RichText } from '../../../ui/text/rich-text.tsx'
import { OperationStateMark, stateOf } from '../../../widgets/operations/operation-state.tsx'
import { HealthMark } from '../../../widgets/status/tags.tsx'
import { updateMessages } from '../../success-plans/plan-messages.ts'
import { accountPageMessages as messages } from '../messages.ts'
import { planPath } from '../../../ui/platform/record-path.ts'

/** As many as are read before a call; the rest on request. */
const SHOWN_ENTRIES = 8

interface TimelineProps {
  /** Undefined while loading. */
  entries: readonly TimelineEntry[] | undefined
  /** Number of plans whose updates are not on the device. */
  missing: number
  authorOf: (user_id: string | null) => string
}

/** The updates of all plans of an account, newest first. */
export function Timeline({ entries, missing, authorOf }: TimelineProps) {
  const [limit, setLimit] = useState(SHOWN_ENTRIES)
  const shown = entries?.slice(0, limit)
  const left = (entries?.length ?? 0) - limit
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline" className="text-base font-semibold">
        {messages.timeline}
      </h2>
      {missing > 0 && <p className="mt-1 text-sm text-ink-muted">{messages.missing(missing)}</p>}
      <ol className="mt-1.5 border-t border-line">
        {shown?.map((entry) => (
          <li key={entry.update.id} className="border-b border-line">
            <Entry entry={entry} author={authorOf(entry.update.user_id)} />
          </li>
        ))}
      </ol>
      {entries?.length === 0 && missing === 0 && (
        <p className="py-4 text-sm text-ink-muted">{messages.noUpdates}</p>
      )}
      {left > 0 && (
        <ShowMore className="mt-1" onShow={() => setLimit(limit + 4 * SHOWN_ENTRIES)}>
          {messages.more(left)}
        </ShowMore>
      )}
    </section>
  )
}

function Entry({ entry, author }: { entry: TimelineEntry; author: string }) {
  const { plan, update, operation } = entry
  const sending = useSendingIds()
  const { progress_from, progress_to, status_from, status_to, health } = update
  const isChange = progress_to !== null || status_to !== null || health !== null
  return (
    <article className="flex gap-3 py-4">
      <Avatar name={author} />
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1 text-sm">
          <span className="font-semibold">{author}</span>
          <time dateTime={update.written_at} className="text-ink-faint tabular-nums">
            {updateMessages.written(update.written_at)}
          </time>
          {operation && <OperationStateMark state={stateOf(operation, sending)} />}
          <Link
            to={planPath(plan.id)}
            className="min-w-0 truncate text-ink-muted underline-offset-4 hover:underline sm:ms-2 coarse:-my-2.5 coarse:py-3"
          >
            {plan.title}
          </Link>
        </p>
        {update.body !== '' && (
          <RichText text={update.body} className="mt-1 max-w-prose text-sm leading-6" />
        )}
        {isChange && (
          <p className="mt-1 flex flex-wrap gap-x-4 text-sm text-ink-muted tabular-nums">
            {status_to !== null && (
              <span className="first-letter:uppercase">
                {updateMessages.statusFact(status_from, status_to)}
              </span>
            )}
            {progress_to !== null && (
              <span>{updateMessages.progressFact(progress_from, progress_to)}</span>
            )}
            {health !== null && <HealthMark health={health} />}
          </p>
        )}
      </div>
    </article>
  )
}
