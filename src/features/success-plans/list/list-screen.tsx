import { Plus } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { PLAN_STATUSES } from '../../../../contract/values.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/display/empty.tsx'
import { PageHeading } from '../../../ui/page-heading.tsx'
import { SkeletonRows } from '../../../ui/display/skeleton.tsx'
import { paramsInUrl, useUrlText } from '../../../ui/form/use-url-text.ts'
import { DataAge } from '../../../widgets/screen-states/data-age.tsx'
import { FilteredList } from '../../../widgets/screen-states/filtered-list.tsx'
import { NoData } from '../../../widgets/screen-states/no-data.tsx'
import { WhileAway } from '../../away/while-away.tsx'
import { useListSnapshot, useSaveListSnapshot, type ListSnapshot } from './list-snapshot.ts'
import { ListToolbar, ViewTabs } from './list-toolbar.tsx'
import { PlanList } from './plan-list.tsx'
import { usePlans } from '../../../data/success-plans/queries.ts'
import { useViewContext } from '../use-view-context.ts'
import { countViews, readSelection, selectPlans, writeSelection, type Selection } from './view.ts'
import { planMessages } from '../messages.ts'

const ListMenu = lazy(async () => ({ default: (await import('./list-menu.tsx')).ListMenu }))
const Review = lazy(async () => ({ default: (await import('../review/review.tsx')).Review }))
const Shared = lazy(async () => ({
  default: (await import('../share-target/share-target.tsx')).ShareTarget,
}))
const ImportPlans = lazy(async () => ({
  default: (await import('../../import/import-plans.tsx')).ImportPlans,
}))

/**
 * `/success-plans`; the review with `?review`, the import with `?import`, shared content with
 * `?share_text` and related parameters.
 */
export function Component() {
  const [params] = useSearchParams()
  const isShared = [...params.keys()].some((name) => name.startsWith('share_'))
  if (!params.has('review') && !params.has('import') && !isShared) return <Plans />
  return (
    <Suspense fallback={<SkeletonRows label={planMessages.loadingPart} rows={4} />}>
      {isShared ? <Shared /> : params.has('review') ? <Review /> : <ImportPlans />}
    </Suspense>
  )
}

function Plans() {
  const { query, plans } = usePlans()
  const first = useListSnapshot()
  return (
    <>
      <header className="flex flex-wrap items-center justify-between gap-x-2 gap-y-2">
        <div>
          <PageHeading title={planMessages.title} />
          <DataAge
            messages={planMessages}
            neverSynced={plans || !query.isError ? planMessages.neverSynced : undefined}
          />
        </div>
        <div className="flex items-center gap-1">
          <Suspense fallback={<div className="min-h-9 coarse:min-h-11" />}>
            <ListMenu />
          </Suspense>
          <Link
            to="/success-plans/new"
            // On phones the button is in the bottom bar.
            className={`${buttonClass('primary')} ms-1 max-md:hidden`}
          >
            <Plus aria-hidden />
            {planMessages.newPlan}
          </Link>
        </div>
      </header>
      <WhileAway />
      {plans && plans.length > 0 ? (
        <PlanResults plans={plans} />
      ) : !plans && first ? (
        <PlanResults plans={first.plans} first={first} />
      ) : plans ? (
        <Empty
          title={planMessages.emptyTitle}
          action={
            <Link to="/success-plans/new" className={buttonClass('primary')}>
              {planMessages.firstPlan}
            </Link>
          }
        >
          {planMessages.empty}
        </Empty>
      ) : (
        <NoData
          query={query}
          messages={planMessages}
          loading={
            <div className="mt-6">
              <SkeletonRows label={planMessages.loading} rows={8} />
            </div>
          }
        />
      )}
    </>
  )
}

interface PlanResultsProps {
  plans: readonly SuccessPlan[]
  /** Set while `plans` are only the stored first rows. */
  first?: ListSnapshot
}

function PlanResults({ plans, first }: PlanResultsProps) {
  const [selection, change] = useSelection()
  const context = useViewContext()
  const counts = useMemo(() => first?.counts ?? countViews(plans, context), [plans, first, context])
  const selected = useMemo(
    () => selectPlans(plans, selection, context),
    [plans, selection, context],
  )
  const isDefault = writeSelection(selection).size === 0
  useSaveListSnapshot(isDefault && !first ? selected : undefined, counts, context.nameOf)
  const unknownStatuses = useMemo(() => {
    const known: readonly string[] = PLAN_STATUSES
    return [...new Set(plans.map(({ status }) => status))].filter((one) => !known.includes(one))
  }, [plans])

  return (
    <>
      <div className="mt-4 mb-3 flex flex-col gap-3">
        <ViewTabs selection={selection} counts={counts} />
        <ListToolbar selection={selection} unknownStatuses={unknownStatuses} onChange={change} />
      </div>
      <FilteredList
        shown={selected.length}
        all={plans.length}
        messages={{ ...planMessages, clear: planMessages.clearFilters }}
      >
        <PlanList plans={selected} today={context.today} now={context.now} />
      </FilteredList>
    </>
  )
}

/** The selection in the URL, and a function that changes parts of it. */
function useSelection() {
  const [params, setParams] = useSearchParams()
  const write = (change: Partial<Selection>) =>
    setParams(writeSelection({ ...readSelection(paramsInUrl()), ...change }), { replace: true })
  const { view, status, health, sort, search: inUrl } = readSelection(params)
  const [search, type] = useUrlText(inUrl, (search) => write({ search }))
  // Memoised by content, so that other URL changes do not filter the list again.
  const selection = useMemo(
    (): Selection => ({ view, status, health, sort, search }),
    [view, status, health, sort, search],
  )
  return [
    selection,
    (change: Partial<Selection>) => {
      if (change.search === undefined) write(change)
      else type(change.search)
    },
  ] as const
}
