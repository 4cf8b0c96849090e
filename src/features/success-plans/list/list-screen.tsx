import { Plus } from 'lucide-react'
import { lazy, Suspense, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { SkeletonRows } from '../../../ui/display/skeleton.tsx'
import { useTableRoom } from '../../../ui/platform/use-desktop.ts'
import { paramsInUrl, useUrlText } from '../../../ui/form/use-url-text.ts'
import { PageHeading } from '../../../ui/page-heading.tsx'
import { useCreateKey } from '../../../widgets/keys/use-single-keys.ts'
import { PageHeader } from '../../../widgets/screen-states/page-header.tsx'
import type { SelectableRows } from '../../../ui/list/bulk/bulk-selection.tsx'
import { useListSnapshot, useSaveListSnapshot, type ListSnapshot } from './list-snapshot.ts'
import { fetchRowActions, PLAN_LIST, PLAN_TABLE } from './list-parts.ts'
import { usePlans } from '../../../data/success-plans/queries.ts'
import { useViewContext } from '../use-view-context.ts'
import {
  countViews,
  readSelection,
  selectPlans,
  shownSelection,
  writeSelection,
  type Selection,
} from './view.ts'
import { planMessages } from '../messages.ts'

const laterParts = () => import('./later-parts.ts')
const AboveList = lazy(async () => ({ default: (await laterParts()).AboveList }))
const NoPlans = lazy(async () => ({ default: (await laterParts()).NoPlans }))
const ListMenu = lazy(async () => ({ default: (await laterParts()).ListMenu }))
const BulkChanges = lazy(async () => {
  const [{ BulkChanges }] = await Promise.all([
    laterParts(),
    // Keys may follow each other at once there.
    fetchRowActions(),
  ])
  return { default: BulkChanges }
})
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
  const later = isShared
    ? { title: planMessages.sharedTitle, Screen: Shared }
    : params.has('review')
      ? { title: planMessages.reviewTitle, Screen: Review }
      : params.has('import')
        ? { title: planMessages.importTitle, Screen: ImportPlans }
        : undefined
  if (!later) return <Plans />
  const { title, Screen } = later
  return (
    <Suspense
      fallback={
        <>
          <PageHeading title={title} />
          <SkeletonRows label={planMessages.loading} rows={4} />
        </>
      }
    >
      <Screen />
    </Suspense>
  )
}

function Plans() {
  const { query, plans } = usePlans()
  const first = useListSnapshot()
  const loading = (
    <div className="mt-6">
      <SkeletonRows label={planMessages.loading} table />
    </div>
  )
  const [isSelecting, setSelecting] = useState(false)
  const createKey = useCreateKey()
  const selecting = { isSelecting, onSelecting: setSelecting }
  return (
    <>
      <PageHeader
        title={planMessages.title}
        age={{
          shows: { collection: 'success_plans' },
          neverSynced: plans || !query.isError ? planMessages.neverSynced : undefined,
        }}
        actions={
          <>
            <Suspense fallback={<MenuPlace />}>
              <ListMenu onSelecting={setSelecting} />
            </Suspense>
            <Link
              to="/success-plans/new"
              // On phones the button is in the bottom bar.
              {...createKey(planMessages.newPlan)}
              className={`${buttonClass('primary')} ms-1 max-md:hidden`}
            >
              <Plus aria-hidden />
              {planMessages.newPlan}
            </Link>
          </>
        }
      />
      <Suspense>
        <AboveList />
      </Suspense>
      {plans && plans.length > 0 ? (
        <PlanResults plans={plans} {...selecting} />
      ) : !plans && first ? (
        <PlanResults plans={first.plans} first={first} {...selecting} />
      ) : (
        <Suspense fallback={plans ? null : loading}>
          <NoPlans query={query} loading={loading} />
        </Suspense>
      )}
    </>
  )
}

interface PlanResultsProps {
  plans: readonly SuccessPlan[]
  /** Set while `plans` are only the stored first rows. */
  first?: ListSnapshot
  /** The list of phones shows checkboxes, also while nothing is selected. */
  isSelecting: boolean
  onSelecting: (isSelecting: boolean) => void
}

function PlanResults({ plans, first, ...selecting }: PlanResultsProps) {
  const [asked, change] = useSelection()
  const context = useViewContext()
  const [actions, setActions] = useState<SelectableRows>()
  const counts = useMemo(() => first?.counts ?? countViews(plans, context), [plans, first, context])
  const selection = useMemo(() => shownSelection(asked, counts), [asked, counts])
  const selected = useMemo(
    () => selectPlans(plans, selection, context),
    [plans, selection, context],
  )
  const isDefault = writeSelection(selection).size === 0
  useSaveListSnapshot(isDefault && !first ? selected : undefined, counts, context.nameOf)
  const hasRoom = useTableRoom()
  const Results = hasRoom ? PLAN_TABLE.Part : PLAN_LIST.Part
  return (
    <>
      {!first && (
        <Suspense>
          <BulkChanges
            plans={selected}
            group={selection.group}
            context={context}
            {...selecting}
            onRows={setActions}
          />
        </Suspense>
      )}
      <Suspense fallback={<SkeletonRows label={planMessages.loading} table />}>
        <Results
          actions={actions}
          plans={selected}
          all={plans}
          counts={counts}
          selection={selection}
          onChange={change}
          today={context.today}
          now={context.now}
        />
      </Suspense>
    </>
  )
}

/** The selection in the URL, and a function that changes parts of it. */
function useSelection() {
  const [params, setParams] = useSearchParams()
  const write = (change: Partial<Selection>) => {
    const now = paramsInUrl()
    const after = writeSelection({ ...readSelection(now), ...change })
    // The plan beside the table stays.
    const open = now.get('open')
    if (open !== null) after.set('open', open)
    setParams(after, { replace: true })
  }
  const [search, type] = useUrlText(readSelection(params).search, (text) => write({ search: text }))
  // Memoised by content, so that other URL changes do not filter the list again.
  const written = writeSelection({ ...readSelection(params), search }).toString()
  const selection = useMemo(() => readSelection(new URLSearchParams(written)), [written])
  const latest = useRef(write)
  useLayoutEffect(() => {
    latest.current = write
  })
  // Stable, so that the rows are not rendered again.
  const change = useCallback(
    (change: Partial<Selection>) => {
      if (change.search === undefined) latest.current(change)
      else type(change.search)
    },
    [type],
  )
  return [selection, change] as const
}

/** As high as the buttons that come, with a baseline as theirs: an empty box would move all that is below. */
const MenuPlace = () => (
  <div className="flex min-h-9 items-center text-sm coarse:min-h-11">{'\u00a0'}</div>
)
