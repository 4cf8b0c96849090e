import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import type { SuccessPlan } from '../../../contract/success-plans.ts'
import { useConnection } from '../../sync/react.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { Bone, Skeleton } from '../../ui/skeleton.tsx'
import { useNow, useToday } from '../organisations/use-today.ts'
import { PlanFacts } from './plan-facts.tsx'
import { PlanHeader } from './plan-header.tsx'
import { PlanWaiting } from './plan-waiting.tsx'
import { plansQuery } from './queries.ts'
import { UpdateFeed } from './update-feed.tsx'
import { usePlan } from './use-plans.ts'
import { planWords as words } from './words.ts'

/** `/success-plans/:id` */
export function Component() {
  const { id = '' } = useParams()
  const { query, plan } = usePlan(id)
  return (
    <>
      <BackLink to="/success-plans">{words.back}</BackLink>
      {plan ? (
        <Plan key={id} plan={plan} />
      ) : (
        <NoPlan known={plan === null} failed={query.isError} onRetry={() => void query.refetch()} />
      )}
    </>
  )
}

function Plan({ plan }: { plan: SuccessPlan }) {
  const today = useToday()
  const now = useNow()
  return (
    <>
      <PlanHeader plan={plan} today={today} now={now} />
      <PlanWaiting plan_id={plan.id} />
      <div className="mt-5 flex items-center gap-3 lg:hidden">
        <ProgressBar label={words.progressOf(plan.title)} value={plan.progress} />
        <span className="text-sm font-semibold whitespace-nowrap tabular-nums">
          {words.percent(plan.progress)}
        </span>
      </div>
      <div className="mt-6 grid gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <UpdateFeed plan={plan} />
        <aside aria-label={words.facts} className="lg:border-s lg:border-line lg:ps-8">
          <PlanFacts plan={plan} today={today} />
        </aside>
      </div>
    </>
  )
}

interface NoPlanProps {
  /** It is known that there is none. */
  known: boolean
  failed: boolean
  onRetry: () => void
}

function NoPlan({ known, failed, onRetry }: NoPlanProps) {
  const offline = useConnection() === 'offline'
  const here = useQuery(plansQuery()).data?.length ?? 0
  const list = (
    <Link to="/success-plans" className={buttonClass('primary')}>
      {words.openList}
    </Link>
  )
  if (known)
    return (
      <>
        <PageHeading title={words.missingTitle} className="sr-only" />
        <Empty scene="fog" title={words.missingTitle} action={list}>
          {words.missing}
        </Empty>
      </>
    )
  if (offline)
    return (
      <>
        <PageHeading title={words.notThisTitle} className="sr-only" />
        <Empty scene="fog" title={words.notThisTitle} action={list}>
          {words.notThis(here)}
        </Empty>
      </>
    )
  if (failed)
    return (
      <>
        <PageHeading title={words.planFailedTitle} className="sr-only" />
        <Empty
          scene="fog"
          title={words.planFailedTitle}
          action={<Button onClick={onRetry}>{words.retry}</Button>}
        >
          {words.failed}
        </Empty>
      </>
    )
  return (
    <Skeleton label={words.loadingPlan}>
      <Bone className="h-8 w-2/3" />
      <Bone className="mt-3 h-5 w-1/3" />
      <div className="mt-8 grid gap-12 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <Bone className="h-40 w-full" />
        <Bone className="h-64 w-full" />
      </div>
    </Skeleton>
  )
}
