import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { ShowMore } from '../../ui/list/show-more.tsx'
import { usePeople } from '../../data/organisations/use-people.ts'
import { HealthMark } from '../../widgets/status/tags.tsx'
import { statusMessages } from '../../widgets/status/messages.ts'
import { plansQuery } from '../../data/success-plans/queries.ts'
import { unread, type AwayChange } from './away-changes.ts'
import { dismiss, type Absence } from './away.ts'
import { useAwayChanges } from './use-away-changes.ts'
import { changeAway } from './use-away.ts'
import { awayMessages as messages } from './messages.ts'
import { personText } from '../../data/organisations/person-name.ts'
import { planPath } from '../../ui/platform/record-path.ts'

/** As many as fit at a glance; the rest on request. */
const SHOWN_PLANS = 3

/** The plans that others changed during the absence, each a link; removed once opened or dismissed. */
export function AwayNews({ away }: { away: Absence }) {
  const plans = useQuery(plansQuery()).data
  const people = usePeople()
  const changes = useAwayChanges(away, plans)
  const [all, setAll] = useState(false)
  const unreadChanges = changes && unread(changes, away)
  const isRead = unreadChanges?.length === 0
  useEffect(() => {
    if (isRead) void changeAway(dismiss)
  }, [isRead])
  if (!unreadChanges || isRead) return null

  const nameOf = (user_id: string | null) => personText(people, user_id)
  const shown = all ? unreadChanges : unreadChanges.slice(0, SHOWN_PLANS)
  return (
    <section
      aria-labelledby="while-away"
      className="mt-4 animate-fade rounded-lg border border-transparent bg-accent-soft py-2 ps-4 pe-2"
    >
      <header className="flex items-center justify-between gap-2">
        <h2 id="while-away" className="text-sm font-semibold">
          {messages.title}
        </h2>
        <Button
          icon
          variant="quiet"
          aria-label={messages.dismiss}
          onClick={() => {
            // The button disappears with the section; the page heading is the nearest focusable element
            // that stays.
            document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
            void changeAway(dismiss)
          }}
        >
          <X aria-hidden />
        </Button>
      </header>
      <ul className="pe-2">
        {shown.map((change) => (
          <li key={change.plan_id} className="border-t border-ink/10">
            <Change change={change} nameOf={nameOf} />
          </li>
        ))}
      </ul>
      {unreadChanges.length > shown.length && (
        <ShowMore onShow={() => setAll(true)}>
          {messages.more(unreadChanges.length - shown.length)}
        </ShowMore>
      )}
    </section>
  )
}

function Change(props: { change: AwayChange; nameOf: (user_id: string | null) => string }) {
  const { title, plan_id, authors, updates, body, status, progress, health } = props.change
  return (
    <Link to={planPath(plan_id)} className="group block py-2.5 text-sm">
      <span className="flex flex-wrap items-center justify-between gap-x-6">
        <span className="min-w-0 font-semibold group-hover:underline group-hover:underline-offset-4">
          {title}
        </span>
        <span className="flex flex-wrap items-center gap-x-3 text-ink-muted tabular-nums">
          {status && (
            <span>
              {status.from === null
                ? statusMessages.statusOption(status.to)
                : messages.fromTo(
                    statusMessages.statusOption(status.from),
                    statusMessages.status(status.to),
                  )}
            </span>
          )}
          {progress && (
            <span>
              {progress.from === null || progress.from === progress.to
                ? messages.percent(progress.to)
                : messages.fromTo(String(progress.from), messages.percent(progress.to))}
            </span>
          )}
          {health !== undefined && <HealthMark health={health} />}
        </span>
      </span>
      <span className="line-clamp-1 text-ink-muted">
        {messages.updateBy([...new Set(authors.map(props.nameOf))], updates, body)}
      </span>
    </Link>
  )
}
