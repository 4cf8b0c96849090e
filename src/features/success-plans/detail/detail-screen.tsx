import { useQuery } from '@tanstack/react-query'
import { lazy, memo, Suspense, useRef, useState } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { BackLink } from '../../../ui/back-link.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/display/empty.tsx'
import { PageHeading } from '../../../ui/page-heading.tsx'
import { Bone, Skeleton, SkeletonForm, SkeletonRows } from '../../../ui/display/skeleton.tsx'
import { useColumnsRoom } from '../../../ui/platform/use-desktop.ts'
import { TypedTexts } from '../../../widgets/screen-states/typed-texts.tsx'
import { NoData } from '../../../widgets/screen-states/no-data.tsx'
import { useAccountsById } from '../../../data/accounts.ts'
import { PendingRecord } from '../../../widgets/editing/pending-record.tsx'
import { editingMessages } from '../../../widgets/editing/messages.ts'
import { useNow, useToday } from '../../../data/organisations/use-today.ts'
import { PlanFacts } from './plan-facts.tsx'
import { PlanHeader } from './plan-header.tsx'
import { PlanProgressBar } from '../plan-progress-bar.tsx'
import { useRecordId } from '../../../data/record-id.ts'
import { plansQuery, usePlan } from '../../../data/success-plans/queries.ts'
import { PlanTabs, WorkLabel } from './plan-tabs.tsx'
import { UpdateFeed } from '../updates/update-feed.tsx'
import { planMessages as messages } from '../messages.ts'
import { planScreenMessages, planFormMessages } from '../plan-messages.ts'
import { planPath } from '../../../ui/platform/record-path.ts'

const PlanForm = lazy(async () => ({ default: (await import('../form/plan-form.tsx')).PlanForm }))

const InstallCard = lazy(async () => ({
  default: (await import('../../installing/install-card.tsx')).InstallCard,
}))

const PostBar = lazy(async () => ({ default: (await import('./post-bar.tsx')).PostBar }))

const PrintSheet = lazy(async () => ({ default: (await import('./print-sheet.tsx')).PrintSheet }))

const PlanInitiatives = lazy(async () => ({
  default: (await import('../../initiatives/plan-initiatives.tsx')).PlanInitiatives,
}))

const NO_CONTACTS: readonly never[] = []
const COLUMN = 'min-w-0 lg:row-span-2 lg:border-e lg:border-line lg:pe-8 xl:pe-12'

/**
 * `/success-plans/:id`; the form with `?edit`, the print view with `?print`. Where there is no room for all
 * side by side, initiatives with `?show=initiatives`, and on a phone what was agreed with `?show=about`.
 */
export function Component() {
  const { id, key } = useRecordId(useParams().id ?? '')
  const [params] = useSearchParams()
  const { query, plan } = usePlan(id)
  if (plan && params.has('edit')) return <Edit key={key} plan={plan} />
  if (plan && params.has('print'))
    return (
      <Suspense fallback={<LoadingPlan />}>
        <PrintSheet plan={plan} />
      </Suspense>
    )
  if (plan) return <Plan key={key} plan={plan} />
  return (
    <>
      <BackLink to="/success-plans">{messages.back}</BackLink>
      {plan === null ? <MissingPlan key={id} id={id} /> : <NoPlan query={query} />}
    </>
  )
}

function Edit({ plan }: { plan: SuccessPlan }) {
  const navigate = useNavigate()
  const leave = () => navigate(planPath(plan.id), { replace: true })
  return (
    <div className="mx-auto max-w-2xl">
      <BackLink to={planPath(plan.id)}>{planFormMessages.backToPlan}</BackLink>
      <PageHeading title={planFormMessages.editTitle} />
      <p className="mt-1 text-sm text-ink-muted">{plan.title}</p>
      <Suspense fallback={<SkeletonForm label={planScreenMessages.loadingPlan} />}>
        <PlanForm plan={plan} onDone={leave} onCancel={() => void leave()} />
      </Suspense>
    </div>
  )
}

/** Memoised: renders only when the plan changed. */
const Plan = memo(function Plan({ plan }: { plan: SuccessPlan }) {
  const [params] = useSearchParams()
  const show = params.get('show')
  const shown = show === 'initiatives' || show === 'about' ? show : 'updates'
  const account = useAccountsById()?.get(plan.account_id ?? '')
  const today = useToday()
  const now = useNow()
  const hasColumns = useColumnsRoom()
  const composer = useRef<HTMLDivElement>(null)
  const [tabs, setTabs] = useState<HTMLElement | null>(null)
  const initiatives = (
    <Suspense fallback={<SkeletonRows label={planScreenMessages.loadingPlan} rows={6} />}>
      <PlanInitiatives plan={plan} contacts={account?.contacts ?? NO_CONTACTS} today={today} />
    </Suspense>
  )
  return (
    <>
      <PlanHeader plan={plan} today={today} now={now} />
      <PendingRecord
        id={plan.id}
        resource="success_plans"
        madeHere={planScreenMessages.createdHere}
        changedHere={planScreenMessages.changedHere}
      >
        <Link to="?edit" className={buttonClass('quiet')}>
          {editingMessages.edit}
        </Link>
      </PendingRecord>
      <div className="mt-4 flex items-center gap-3 lg:hidden">
        <PlanProgressBar plan={plan} today={today} />
      </div>
      <div className="mt-3 grid grid-cols-1 lg:mt-6 lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[auto_1fr] min-[90rem]:grid-cols-[minmax(0,5fr)_minmax(30rem,4fr)_20rem]">
        <div className={COLUMN}>
          {!hasColumns && <PlanTabs plan={plan} shown={shown} row={setTabs} />}
          {shown === 'initiatives' && !hasColumns ? (
            initiatives
          ) : (
            <div className={shown === 'about' ? 'max-lg:hidden' : ''}>
              <UpdateFeed plan={plan} composer={composer} />
            </div>
          )}
        </div>
        {hasColumns && (
          <section aria-labelledby="work" className={`${COLUMN} lg:ps-8`}>
            <h2 id="work" className="mb-4 flex gap-2 text-sm font-semibold">
              <WorkLabel plan={plan} />
            </h2>
            {initiatives}
          </section>
        )}
        <aside
          aria-label={planScreenMessages.facts}
          className={`lg:ps-8 ${shown === 'about' ? '' : 'max-lg:hidden max-lg:print:block'}`}
        >
          <PlanFacts plan={plan} today={today} belowProgress />
        </aside>
        <div className="lg:ps-8">
          <Suspense>
            <InstallCard plan_id={plan.id} />
          </Suspense>
        </div>
      </div>
      <Suspense>
        <PostBar composer={composer} tabs={tabs} isOnPage={shown !== 'initiatives'} />
      </Suspense>
    </>
  )
})

function MissingPlan({ id }: { id: string }) {
  return (
    <>
      <PageHeading title={planScreenMessages.missingTitle} className="sr-only" />
      <Empty scene="fog" title={planScreenMessages.missingTitle} action={<OpenList />}>
        {planScreenMessages.missing}
      </Empty>
      <TypedTexts id={id} />
    </>
  )
}

function NoPlan({ query }: { query: ReturnType<typeof usePlan>['query'] }) {
  const plansOnDevice = useQuery(plansQuery()).data?.length ?? 0
  return (
    <NoData
      query={query}
      messages={{
        notHereTitle: planScreenMessages.planNotHereTitle,
        notHere: planScreenMessages.planNotHere(plansOnDevice),
        failedTitle: planScreenMessages.planFailedTitle,
        failed: messages.failed,
        retry: messages.retry,
      }}
      loading={<LoadingPlan />}
      offlineAction={<OpenList />}
      asPage
    />
  )
}

const OpenList = () => (
  <Link to="/success-plans" className={buttonClass('primary')}>
    {planScreenMessages.openList}
  </Link>
)

/** A skeleton in the shape of the screen. */
function LoadingPlan() {
  return (
    <Skeleton label={planScreenMessages.loadingPlan}>
      <Bone className="h-8 w-2/3" />
      <Bone className="mt-3 h-5 w-1/3" />
      <div className="mt-8 grid grid-cols-1 gap-12 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Bone className="h-40 w-full" />
        <Bone className="h-64 w-full" />
      </div>
    </Skeleton>
  )
}
