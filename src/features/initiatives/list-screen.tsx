import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useDeferredValue, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { paramsInUrl, useUrlText } from '../../ui/form/use-url-text.ts'
import { useRecordKeys } from '../../data/record-id.ts'
import { useAccountsById } from '../../data/accounts.ts'
import { nextPosition } from '../../data/position.ts'
import { useRecordStates } from '../../widgets/editing/use-record-states.ts'
import { membersByUserQuery } from '../../data/organisations/queries.ts'
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

/** The plans as choices, sorted by title. */
function usePlanChoices() {
  const { plans = NONE } = usePlans()
  return useMemo(() => plans.toSorted((a, b) => compareText(a.title, b.title)), [plans])
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
  const members = useQuery(membersByUserQuery()).data
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
        <ul aria-label={messages.listLabel} className="border-t border-line">
          {selected.slice(0, visibleCount).map((work) => {
            const { id, success_plan_id, owner_id } = work.initiative
            const plan = success_plan_id === null ? null : planById.get(success_plan_id)
            return (
              <li key={keyOf(id)}>
                <InitiativeCard
                  work={work}
                  owner={members?.get(owner_id ?? '')?.name}
                  contacts={accounts?.get(plan?.account_id ?? '')?.contacts ?? NONE}
                  today={today}
                  states={states}
                  opened={keyOf(id) === added}
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
      </FilteredList>
      {left > 0 && (
        <Button className="mt-4" onClick={() => setVisibleCount(visibleCount + PAGE_SIZE)}>
          {messages.more(left)}
        </Button>
      )}
    </>
  )
}
