import { useNavigate, useSearchParams } from 'react-router'
import { BackLink } from '../../ui/back-link.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { useCurrent } from '../session/queries.ts'
import { createPlan } from './mutations.ts'
import { EditNewPlan } from './edit-new-plan.tsx'
import { PlanForm } from './plan-form.tsx'
import { useDraft } from './use-draft.ts'
import { newPlanWords as words, planWords } from './words.ts'

/** `/success-plans/new`, for an account with `?account=`, one that still waits with `?edit=`. */
export function Component() {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const user = useCurrent()?.user
  const draft = useDraft('new-plan')
  const edited = params.get('edit')
  if (edited !== null) return <EditNewPlan plan_id={edited} />

  return (
    <div className="mx-auto max-w-2xl">
      <BackLink to="/success-plans">{planWords.back}</BackLink>
      <PageHeading title={words.title} />
      <p className="mt-1 text-sm text-ink-muted">{words.lead}</p>
      {draft.restored !== undefined && (
        <PlanForm
          draft={draft}
          account_id={params.get('account') ?? ''}
          owner_id={user?.id ?? ''}
          action={words.create}
          onSubmit={async (plan) => {
            const id = await createPlan(plan)
            draft.clear()
            await navigate(`/success-plans/${id}`, { replace: true })
          }}
        />
      )}
    </div>
  )
}
