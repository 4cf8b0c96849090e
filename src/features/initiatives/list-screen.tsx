import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useDeferredValue, useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useConnection, useLastSync } from '../../sync/react/use-sync.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { paramsInUrl, useUrlText } from '../../ui/form/use-url-text.ts'
import { useAccountsById } from '../../data/accounts/queries.ts'
import { nextPosition } from '../../data/position.ts'
import { useRecordStates } from '../../widgets/editing/use-record-states.ts'
import { membersByUserQuery } from '../../data/organisations/queries.ts'
import { useToday } from '../../data/organisations/use-today.ts'
import { usePlans } from '../../data/success-plans/queries.ts'
import { InitiativeCard } from './initiative-card.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import { useInitiatives, type InitiativeWork } from '../../data/initiatives/queries.ts'
import { readSelection, selectInitiatives, type Selection } from './view.ts'
import { initiativeMessages as messages } from './messages.ts'
import { compareText } from '../../ui/text/format.ts'

const NewInitiative = lazy(async () => ({
  default: (await import('./initiative-dialog.tsx')).NewInitiative,
}))

/** As many as are drawn at once; each unfolds, so they have no common height. */
const PAGE_SIZE = 50

/** `/initiatives` */
export function Component() {
  const { failed, refetch, work } = useInitiatives()
  const synced = useLastSync()
  const offline = useConnection() === 'offline'
  const [adding, setAdding] = useState(false)
  const [added, setAdded] = useState<string>()
  const plans = usePlanChoices()
  const all = work?.initiatives

  const add = (label: string) => (
    <Button variant="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden />
      {label}
    </Button>
  )
  return (
    <>
      <header className="flex items-center justify-between gap-x-4">
        <div className="min-w-0">
          <PageHeading title={messages.title} />
          <p className="mt-0.5 min-h-5 text-sm text-ink-faint">
            {synced !== null && (offline ? messages.asOf(synced) : messages.upToDate(synced))}
          </p>
        </div>
        {all && all.length > 0 && add(messages.add)}
      </header>
      {all && all.length > 0 && <Found initiatives={all} plans={plans} added={added} />}
      {all?.length === 0 && (
        <Empty title={messages.emptyTitle} action={add(messages.first)}>
          {messages.empty}
        </Empty>
      )}
      {!all && offline && (
        <Empty scene="fog" title={messages.notHereTitle} action={add(messages.add)}>
          {messages.notHere}
        </Empty>
      )}
      {!all && !offline && failed && (
        <Empty
          scene="fog"
          title={messages.failedTitle}
          action={<Button onClick={() => void refetch()}>{messages.retry}</Button>}
        >
          {messages.failed}
        </Empty>
      )}
      {!all && !offline && !failed && <SkeletonRows label={messages.loading} rows={8} />}
      {adding && (
        <Suspense>
          <NewInitiative
            plans={plans}
            position={nextPosition(all?.map(({ initiative }) => initiative) ?? [])}
            onClose={() => setAdding(false)}
            onCreated={(id) => {
              setAdded(id)
              setAdding(false)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** The plans in the order of their titles, as a choice. */
function usePlanChoices() {
  const { plans = NONE } = usePlans()
  return useMemo(() => plans.toSorted((a, b) => compareText(a.title, b.title)), [plans])
}

const NONE: readonly never[] = []

interface FoundProps {
  initiatives: readonly InitiativeWork[]
  plans: ReturnType<typeof usePlanChoices>
  /** The one that was just made: it stands there unfolded. */
  added: string | undefined
}

function Found({ initiatives, plans, added }: FoundProps) {
  const [params, setParams] = useSearchParams()
  const [most, setMost] = useState(PAGE_SIZE)
  const write = (name: keyof Selection, value: string) => {
    const now = paramsInUrl()
    if (value) now.set(name, value)
    else now.delete(name)
    setParams(now, { replace: true })
  }
  const [search, type] = useUrlText(params.get('search') ?? '', (text) => write('search', text))
  const selection = useMemo(() => ({ ...readSelection(params), search }), [params, search])
  // Typing stays ahead of cards with all that they hold.
  const chosen = useDeferredValue(selection)
  const today = useToday()
  const states = useRecordStates()
  const accounts = useAccountsById()
  const members = useQuery(membersByUserQuery()).data
  const planById = useMemo(() => new Map(plans.map((plan) => [plan.id, plan])), [plans])
  const used = useMemo(() => {
    const ids = new Set(initiatives.map(({ initiative }) => initiative.success_plan_id))
    return plans.filter(({ id }) => ids.has(id))
  }, [initiatives, plans])
  const selected = useMemo(() => {
    const titleOf = (id: string) => planById.get(id)?.title
    const found = selectInitiatives(initiatives, chosen, titleOf)
    // What was just made stays in sight, whatever its place will be.
    const isAdded = ({ initiative }: InitiativeWork) => initiative.id === added
    return [...found.filter(isAdded), ...found.filter((one) => !isAdded(one))]
  }, [initiatives, chosen, planById, added])
  const change = (name: keyof Selection, value: string) => {
    setMost(PAGE_SIZE)
    if (name === 'search') type(value)
    else write(name, value)
  }
  const left = selected.length - most

  return (
    <>
      <ListToolbar selection={selection} plans={used} onChange={change} />
      <output
        className={
          selected.length === initiatives.length
            ? 'sr-only'
            : 'mb-2 block text-sm text-ink-faint tabular-nums'
        }
      >
        {messages.shown(selected.length, initiatives.length)}
      </output>
      {selected.length === 0 && (
        <Empty
          scene="clear"
          title={messages.noMatchTitle}
          action={
            <Link to={{ search: '' }} replace className={buttonClass()}>
              {messages.clear}
            </Link>
          }
        >
          {messages.noMatch}
        </Empty>
      )}
      {selected.length > 0 && (
        <ul aria-label={messages.listLabel} className="border-t border-line">
          {selected.slice(0, most).map((work) => {
            const { id, success_plan_id, owner_id } = work.initiative
            const plan = success_plan_id === null ? null : planById.get(success_plan_id)
            return (
              <li key={id}>
                <InitiativeCard
                  work={work}
                  owner={members?.get(owner_id ?? '')?.name}
                  contacts={accounts?.get(plan?.account_id ?? '')?.contacts ?? NONE}
                  today={today}
                  states={states}
                  opened={id === added}
                  plan={
                    success_plan_id === null
                      ? null
                      : { id: success_plan_id, title: plan?.title ?? messages.unknownPlan }
                  }
                  plans={plans}
                />
              </li>
            )
          })}
        </ul>
      )}
      {left > 0 && (
        <Button className="mt-4" onClick={() => setMost(most + PAGE_SIZE)}>
          {messages.more(left)}
        </Button>
      )}
    </>
  )
}
