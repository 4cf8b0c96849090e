import { Plus } from 'lucide-react'
import { lazy, Suspense, useDeferredValue, useId, useMemo, useState, type ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { paramsInUrl, useUrlText } from '../../ui/form/use-url-text.ts'
import { useRecordKeys } from '../../data/record-id.ts'
import { useAccountsById } from '../../data/accounts.ts'
import { nextPosition } from '../../data/position.ts'
import { useRecordStates } from '../../widgets/editing/use-record-states.ts'
import { usePeople } from '../../data/organisations/use-people.ts'
import { useToday } from '../../data/organisations/use-today.ts'
import { usePlans } from '../../data/success-plans/queries.ts'
import { DataAge } from '../../widgets/screen-states/data-age.tsx'
import { FilteredList } from '../../widgets/screen-states/filtered-list.tsx'
import { NoData } from '../../widgets/screen-states/no-data.tsx'
import { InitiativeCard } from './initiative-card.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import { useInitiatives, type InitiativeWork } from '../../data/initiatives.ts'
import { readSelection, selectInitiatives, type Selection } from './view.ts'
import { initiativeMessages as messages } from './messages.ts'
import { compareText } from '../../ui/text/format.ts'

const NewInitiative = lazy(async () => ({
  default: (await import('./initiative-dialog.tsx')).NewInitiative,
}))

/**
 * Number of cards rendered at once. Cards expand, so they have no common height and cannot be
 * virtualised.
 */
const PAGE_SIZE = 50

/** `/initiatives` */
export function Component() {
  const { failed, refetch, work } = useInitiatives()
  const [adding, setAdding] = useState(false)
  const [added, setAdded] = useState<string>()
  const plans = usePlanChoices()
  const all = work?.initiatives

  const add = (label: string) => (
    <Button variant="primary" data-key="c" onClick={() => setAdding(true)}>
      <Plus aria-hidden />
      {label}
    </Button>
  )
  return (
    <>
      <header className="flex items-center justify-between gap-x-4">
        <div className="min-w-0">
          <PageHeading title={messages.title} />
          <DataAge messages={messages} />
        </div>
        {all && all.length > 0 && add(messages.add)}
      </header>
      {all && all.length > 0 && <InitiativeResults initiatives={all} plans={plans} added={added} />}
      {all?.length === 0 && (
        <Empty title={messages.emptyTitle} action={add(messages.first)}>
          {messages.empty}
        </Empty>
      )}
      {!all && (
        <NoData
          query={{ isError: failed, refetch }}
          messages={messages}
          loading={<SkeletonRows label={messages.loading} rows={8} />}
          offlineAction={add(messages.add)}
        />
      )}
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

/** The plans as choices, sorted by title, with the account: plans of one kind have the same title. */
function usePlanChoices() {
  const { plans = NONE } = usePlans()
  const accounts = useAccountsById()
  return useMemo(
    () =>
      plans
        .map((plan) => ({
          ...plan,
          title: messages.planOf(plan.title, accounts?.get(plan.account_id ?? '')?.name),
        }))
        .toSorted((a, b) => compareText(a.title, b.title)),
    [plans, accounts],
  )
}

const NONE: readonly never[] = []

interface InitiativeResultsProps {
  initiatives: readonly InitiativeWork[]
  plans: ReturnType<typeof usePlanChoices>
  /** Id of the initiative just created; it is shown expanded. */
  added: string | undefined
}

function InitiativeResults({ initiatives, plans, added }: InitiativeResultsProps) {
  const [params, setParams] = useSearchParams()
  const [visibleCount, setVisibleCount] = useState(PAGE_SIZE)
  const write = (name: keyof Selection, value: string) => {
    const now = paramsInUrl()
    if (value) now.set(name, value)
    else now.delete(name)
    setParams(now, { replace: true })
  }
  const [search, type] = useUrlText(params.get('search') ?? '', (text) => write('search', text))
  const selection = useMemo(() => ({ ...readSelection(params), search }), [params, search])
  // Deferred, so that typing does not wait for rendering the cards.
  const chosen = useDeferredValue(selection)
  const today = useToday()
  const states = useRecordStates()
  const keyOf = useRecordKeys('initiatives')
  const accounts = useAccountsById()
  const people = usePeople()
  const planById = useMemo(() => new Map(plans.map((plan) => [plan.id, plan])), [plans])
  const used = useMemo(() => {
    const ids = new Set(initiatives.map(({ initiative }) => initiative.success_plan_id))
    return plans.filter(({ id }) => ids.has(id))
  }, [initiatives, plans])
  const selected = useMemo(() => {
    const titleOf = (id: string) => planById.get(id)?.title
    const found = selectInitiatives(initiatives, chosen, titleOf)
    // The initiative just created stays at the top, whatever its sorted position is.
    const isAdded = ({ initiative }: InitiativeWork) => keyOf(initiative.id) === added
    return [...found.filter(isAdded), ...found.filter((one) => !isAdded(one))]
  }, [initiatives, chosen, planById, added, keyOf])
  const groups = useMemo(
    () =>
      Map.groupBy(selected.slice(0, visibleCount), ({ initiative }) => initiative.success_plan_id),
    [selected, visibleCount],
  )
  const change = (name: keyof Selection, value: string) => {
    setVisibleCount(PAGE_SIZE)
    if (name === 'search') type(value)
    else write(name, value)
  }
  const left = selected.length - visibleCount

  return (
    <>
      <ListToolbar selection={selection} plans={used} shown={selected.length} onChange={change} />
      <FilteredList shown={selected.length} all={initiatives.length} messages={messages}>
        {[...groups].map(([plan_id, own]) => {
          const plan = planById.get(plan_id ?? '')
          return (
            <PlanGroup
              key={plan_id}
              plan_id={plan_id}
              title={plan_id === null ? messages.noPlan : (plan?.title ?? messages.unknownPlan)}
            >
              {own.map((work) => {
                const { id, owner_id } = work.initiative
                return (
                  <li key={keyOf(id)}>
                    <InitiativeCard
                      work={work}
                      owner={people?.get(owner_id ?? '')?.name}
                      contacts={accounts?.get(plan?.account_id ?? '')?.contacts ?? NONE}
                      today={today}
                      states={states}
                      opened={keyOf(id) === added}
                      isLine
                      plans={plans}
                    />
                  </li>
                )
              })}
            </PlanGroup>
          )
        })}
      </FilteredList>
      {left > 0 && (
        <Button className="mt-4" onClick={() => setVisibleCount(visibleCount + PAGE_SIZE)}>
          {messages.more(left)}
        </Button>
      )}
    </>
  )
}

interface PlanGroupProps {
  /** Null for initiatives without a plan. */
  plan_id: string | null
  title: string
  children: ReactNode
}

/** The initiatives of one plan, below a link to it. */
function PlanGroup({ plan_id, title, children }: PlanGroupProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="@container mt-5 first-of-type:mt-2">
      <h2 id={id} className="truncate rounded-sm bg-sunken/60 px-2 text-sm leading-8">
        {plan_id === null ? (
          title
        ) : (
          <Link
            to={`/success-plans/${plan_id}?show=initiatives`}
            className="inline-block underline-offset-4 hover:text-accent hover:underline coarse:py-1.5"
          >
            {title}
          </Link>
        )}
      </h2>
      <ul className="ps-2">{children}</ul>
    </section>
  )
}
