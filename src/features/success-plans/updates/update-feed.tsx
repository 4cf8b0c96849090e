import { memo, type RefObject } from 'react'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { useConnection, useDownload } from '../../../sync/react/use-sync.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/display/notice.tsx'
import { SkeletonRows } from '../../../ui/display/skeleton.tsx'
import { useMarkPlanRead } from '../../away/use-away-changes.ts'
import { useCurrentSession } from '../../../data/current-session.ts'
import { usePeople } from '../../../data/organisations/use-people.ts'
import type { FeedEntry } from '../../../data/success-plans/overlay.ts'
import { useEditDrafts } from './left-text.tsx'
import { UpdateCard } from './update-card.tsx'
import { UpdateComposer } from './update-composer.tsx'
import { useIsPartlyRead } from '../../../data/success-plans/updates-of-plans.ts'
import { usePlanUpdates } from '../../../data/success-plans/queries.ts'
import { useRecordKeys } from '../../../data/record-id.ts'
import { planMessages } from '../messages.ts'
import { updateMessages as messages } from '../plan-messages.ts'
import { personText } from '../../../data/organisations/person-name.ts'

interface UpdateFeedProps {
  plan: SuccessPlan
  /** Gets the element around the composer. */
  composer?: RefObject<HTMLDivElement | null>
}

/** The composer, and below it the plan's updates, newest first. */
export function UpdateFeed({ plan, composer }: UpdateFeedProps) {
  const { query, feed, isStored } = usePlanUpdates(plan.id)
  const isPartly = useIsPartlyRead(plan.id, query)
  useMarkPlanRead(plan.id)
  const planKey = useRecordKeys('success_plans')
  const offline = useConnection() === 'offline'
  const isEvicted = useDownload().evicted === true
  return (
    <section aria-labelledby="updates">
      <h2 id="updates" className="sr-only">
        {messages.feed}
      </h2>
      <div ref={composer}>
        <UpdateComposer key={planKey(plan.id)} plan={plan} />
      </div>
      <div className="mt-6 border-t border-line">
        {!isStored && query.isError && offline && (
          <div className="pt-5">
            <Notice tone="offline">{isEvicted ? messages.evicted : messages.notHere}</Notice>
          </div>
        )}
        {!isStored && query.isError && !offline && (
          <div className="pt-5">
            <Notice
              tone="danger"
              action={<Button onClick={() => void query.refetch()}>{planMessages.retry}</Button>}
            >
              {messages.feedFailed}
            </Notice>
          </div>
        )}
        {feed === undefined && !query.isError && <SkeletonRows label={messages.loading} rows={4} />}
        {isStored && !isPartly && feed?.length === 0 && (
          <p className="py-8 text-center text-sm text-ink-muted">
            <span className="block font-semibold text-ink">{messages.emptyTitle}</span>
            {messages.empty}
          </p>
        )}
        {feed && <Cards feed={feed} />}
        {isPartly && <p className="py-5 text-sm text-ink-muted">{messages.partly}</p>}
      </div>
    </section>
  )
}

/** Memoised: renders only when the feed changed. */
export const Cards = memo(function Cards({ feed }: { feed: readonly FeedEntry[] }) {
  const keyOf = useRecordKeys('success_plan_updates')
  const people = usePeople()
  const drafts = useEditDrafts(feed)
  const user = useCurrentSession()?.user
  const authorOf = (user_id: string | null) =>
    (user_id === user?.id && user?.name) || personText(people, user_id)
  return (
    <ol>
      {feed.map((entry) => (
        <li key={keyOf(entry.update.id)}>
          <UpdateCard entry={entry} author={authorOf(entry.update.user_id)} drafts={drafts} />
        </li>
      ))}
    </ol>
  )
})
