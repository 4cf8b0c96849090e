import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { membersByUserQuery } from '../organisations/queries.ts'
import { HealthMark } from '../status/tags.tsx'
import { statusWords } from '../status/words.ts'
import { plansQuery } from '../success-plans/queries.ts'
import { told, unread, type Away, type AwayChange } from './away.ts'
import { changeAway, useAwayChanges } from './use-away.ts'
import { awayWords as words } from './words.ts'

/** As many as are read at a glance; the others on demand. */
const FIRST = 3

/** The plans that others changed meanwhile, each a link; gone once they were opened or dismissed. */
export function AwayNews({ away }: { away: Away }) {
  const plans = useQuery(plansQuery()).data
  const members = useQuery(membersByUserQuery()).data
  const changes = useAwayChanges(away, plans)
  const [all, setAll] = useState(false)
  const news = changes && unread(changes, away)
  const isRead = news?.length === 0
  useEffect(() => {
    if (isRead) void changeAway(told)
  }, [isRead])
  if (!news || isRead) return null

  const nameOf = (user_id: string | null) => members?.get(user_id ?? '')?.name ?? words.someone
  const shown = all ? news : news.slice(0, FIRST)
  return (
    <section
      aria-labelledby="while-away"
      className="mt-4 animate-fade rounded-lg border border-transparent bg-accent-soft py-2 ps-4 pe-2"
    >
      <header className="flex items-center justify-between gap-2">
        <h2 id="while-away" className="text-sm font-semibold">
          {words.title}
        </h2>
        <Button
          icon
          variant="quiet"
          aria-label={words.dismiss}
          onClick={() => {
            // The button goes with the block; the page's heading is the nearest place that stays.
            document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
            void changeAway(told)
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
      {news.length > shown.length && (
        <Button variant="quiet" className="-ms-3.5" onClick={() => setAll(true)}>
          {words.more(news.length - shown.length)}
        </Button>
      )}
    </section>
  )
}

function Change(props: { change: AwayChange; nameOf: (user_id: string | null) => string }) {
  const { title, plan_id, authors, updates, body, status, progress, health } = props.change
  return (
    <Link to={`/success-plans/${plan_id}`} className="group block py-2.5 text-sm">
      <span className="flex flex-wrap items-center justify-between gap-x-6">
        <span className="min-w-0 font-semibold group-hover:underline group-hover:underline-offset-4">
          {title}
        </span>
        <span className="flex flex-wrap items-center gap-x-3 text-ink-muted tabular-nums">
          {status && (
            <span>
              {status.from === null
                ? statusWords.statusOption(status.to)
                : words.fromTo(
                    statusWords.statusOption(status.from),
                    statusWords.status(status.to),
                  )}
            </span>
          )}
          {progress && (
            <span>
              {progress.from === null || progress.from === progress.to
                ? words.percent(progress.to)
                : words.fromTo(String(progress.from), words.percent(progress.to))}
            </span>
          )}
          {health !== undefined && <HealthMark health={health} />}
        </span>
      </span>
      <span className="line-clamp-1 text-ink-muted">
        {words.said([...new Set(authors.map(props.nameOf))], updates, body)}
      </span>
    </Link>
  )
}
