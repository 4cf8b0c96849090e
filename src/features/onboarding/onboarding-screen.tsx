import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import {
  ONBOARDING_STEPS,
  applyOnboardingChange,
  type Onboarding,
  type OnboardingChange,
} from '../../../contract/schemas/settings.ts'
import type { User } from '../../../contract/schemas/people.ts'
import { useConnection } from '../../sync/react/use-sync.ts'
import { keepAnswer } from '../../sync/react/keep-answer.ts'
import { QueryProvider } from '../../sync/react/query-provider.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { Bone, Skeleton } from '../../ui/display/skeleton.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { useWhenShown } from '../../ui/platform/use-when-shown.ts'
import { useCurrentSession, useLeftOrganisation } from '../../data/current-session.ts'
import { OrganisationSwitched } from '../organisations/organisation-switched.tsx'
import { InviteStep, OrganisationStep, ProfileStep } from './about-steps.tsx'
import { AccountStep } from './account-step.tsx'
import { InstallStep } from './install-step.tsx'
import { PlanStep } from './plan-step.tsx'
import { Ready } from './ready.tsx'
import { StepList, type Step } from './step-list.tsx'
import { onboardingMessages as messages } from './messages.ts'
import { answerQuery } from '../../data/record-queries.ts'
import { endpoints } from '../../../contract/endpoints.ts'
import { ignoreTaken, sync } from '../../sync/client.ts'

const HOME = '/'
/** Nothing can be done in them without an organisation. */
const IN_ORGANISATION: readonly Step[] = ['invite', 'first_account', 'first_plan']

/** Props of each step. */
export interface StepProps {
  user: User
  /** Called when the step is done. */
  onDone: () => void
}

const STEPS: Record<Step, ComponentType<StepProps>> = {
  profile: ProfileStep,
  organisation: OrganisationStep,
  invite: InviteStep,
  first_account: AccountStep,
  first_plan: PlanStep,
  install: InstallStep,
}

/** `/onboarding`, one of its steps with `?step=` */
export function Component() {
  const user = useCurrentSession()?.user
  if (!user) return <SignInFirst />
  return (
    <QueryProvider>
      <Steps key={user.id} user={user} />
    </QueryProvider>
  )
}

/** Guard 1 lets signed-out visitors pass here (specification, section 2), but the steps need a user. */
function SignInFirst() {
  return (
    <>
      <PageHeading title={messages.title} />
      <p className="mt-1 text-pretty text-ink-muted">{messages.signInFirst}</p>
      <div className="mt-6 flex flex-wrap gap-2">
        <Link to="/auth?redirect=%2Fonboarding" className={buttonClass('primary')}>
          {messages.signIn}
        </Link>
        <Link to="/auth/registration" className={buttonClass()}>
          {messages.register}
        </Link>
      </div>
    </>
  )
}

function Steps({ user }: { user: User }) {
  const query = useQuery(onboardingQuery())
  const offline = useConnection() === 'offline'
  if (query.data) return <OnboardingSteps user={user} onboarding={query.data} />
  if (query.isError)
    return (
      <Empty
        scene="fog"
        level={1}
        title={offline ? messages.notHereTitle : messages.failedTitle}
        action={
          <span className="flex flex-wrap justify-center gap-2">
            <Link to={HOME} replace className={buttonClass('primary')}>
              {messages.open}
            </Link>
            <Button onClick={() => void query.refetch()}>{messages.retry}</Button>
          </span>
        }
      >
        {offline ? messages.notHere : messages.failed}
      </Empty>
    )
  return (
    <Skeleton label={messages.loading}>
      <Bone className="h-6 w-full" />
      <Bone className="mt-8 h-8 w-3/5" />
      <Bone className="mt-3 h-4 w-4/5" />
      <Bone className="mt-8 h-10 w-full" />
    </Skeleton>
  )
}

const isStep = (name: string | null): name is Step =>
  (ONBOARDING_STEPS as readonly (string | null)[]).includes(name)

function OnboardingSteps({ user, onboarding }: { user: User; onboarding: Onboarding }) {
  const navigate = useNavigate()
  const whenShown = useWhenShown()
  const queries = useQueryClient()
  const [params] = useSearchParams()
  const requestedStep = params.get('step')
  const organisation = useCurrentSession()?.organisation
  const left = useLeftOrganisation()
  const { steps } = onboarding
  const open = ONBOARDING_STEPS.find((one) => !steps[one])
  const current = isStep(requestedStep) ? requestedStep : requestedStep === null ? open : undefined

  /** Failures are ignored: the step itself is done, only its tick is missing. */
  async function saveProgress(change: Parameters<typeof noteProgress>[0]) {
    const { queryKey } = onboardingQuery()
    queries.setQueryData<Onboarding>(
      queryKey,
      (before) => before && applyOnboardingChange(before, change),
    )
    try {
      const stored = await noteProgress(change)
      if (stored) await keepAnswer(queryKey, stored)
    } catch {
      toast(messages.stepNotSaved)
    }
  }

  /** What needs an organisation is passed over together where none was made or chosen. */
  function showNext(after: Step, hasOrganisation = true) {
    const next = ONBOARDING_STEPS.slice(ONBOARDING_STEPS.indexOf(after) + 1).find(
      (one) => hasOrganisation || !IN_ORGANISATION.includes(one),
    )
    void navigate(next ? `?step=${next}` : '?step=ready', { replace: true })
  }

  async function leave() {
    if (onboarding.status !== 'completed') await saveProgress({ status: 'skipped' })
    await whenShown(() => navigate(HOME, { replace: true }))
  }

  if (current === undefined) return <Ready onboarding={onboarding} onOpen={() => void leave()} />
  if (left && organisation && IN_ORGANISATION.includes(current))
    return <OrganisationSwitched left={left} active={organisation} />
  const CurrentStep = STEPS[current]
  const { name, title, lead } = messages.steps[current]
  return (
    <>
      <StepList steps={steps} current={current} />
      <p className="text-sm font-semibold text-ink-faint tabular-nums">
        {messages.step(ONBOARDING_STEPS.indexOf(current) + 1, ONBOARDING_STEPS.length)}
        {/* Where it is not below its number. */}
        <span className="sm:hidden"> · {name}</span>
        {steps[current] && ` · ${messages.done}`}
      </p>
      <PageHeading key={title} title={title} />
      <p className="mt-1 mb-6 text-pretty text-ink-muted">{lead}</p>
      <CurrentStep
        key={current}
        user={user}
        onDone={() => {
          void saveProgress({ step: current, done: true })
          showNext(current)
        }}
      />
      <div className="mt-8 border-t border-line pt-3">
        <div className="-mx-3.5 flex flex-wrap justify-between">
          <Button variant="quiet" onClick={() => showNext(current, organisation != null)}>
            {current === 'organisation' && !organisation
              ? messages.skipWith(IN_ORGANISATION.length)
              : messages.skip}
          </Button>
          <Button variant="quiet" onClick={() => void leave()}>
            {messages.finishLater}
          </Button>
        </div>
      </div>
    </>
  )
}

/** The signed-in user's onboarding progress. */
const onboardingQuery = () => answerQuery('getOnboarding', {})

/**
 * Stores the user's onboarding progress on the server and returns it, if the server answers with it. Throws
 * a CallError.
 */
const noteProgress = (body: OnboardingChange): Promise<Onboarding | undefined> =>
  sync().call(endpoints.updateOnboarding, { body }).catch(ignoreTaken)
