import { useMemo } from 'react'
import { Link, useNavigate } from 'react-router'
import type { SuccessPlanDraft } from '../../../contract/success-plans.ts'
import type { Operation } from '../../sync/operation.ts'
import { isEditable } from '../../sync/outbox.ts'
import { useOperations } from '../../sync/react.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Empty } from '../../ui/empty.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { toast } from '../../ui/toast.tsx'
import { planOf } from './fold.ts'
import { editNewPlan } from './mutations.ts'
import { PlanForm } from './plan-form.tsx'
import type { PlanFields } from './plan-resolver.ts'
import { useDraft } from './use-draft.ts'
import { newPlanWords as words, updateWords } from './words.ts'

/** A new plan that the server does not have yet, or has refused, said differently. */
export function EditNewPlan({ plan_id }: { plan_id: string }) {
  const operation = useOperations().find(
    (one) => one.endpoint === 'createSuccessPlan' && planOf(one) === plan_id && isEditable(one),
  )
  return (
    <div className="mx-auto max-w-2xl">
      <BackLink to={`/success-plans/${plan_id}`}>{words.toThePlan}</BackLink>
      <PageHeading title={words.editTitle} />
      {operation ? (
        <Form key={operation.id} operation={operation} plan_id={plan_id} />
      ) : (
        <Empty
          scene="clear"
          title={words.sentMeanwhileTitle}
          action={
            <Link to={`/success-plans/${plan_id}`} className={buttonClass('primary')}>
              {words.toThePlan}
            </Link>
          }
        >
          {words.sentMeanwhile}
        </Empty>
      )}
    </div>
  )
}

function Form({ operation, plan_id }: { operation: Operation; plan_id: string }) {
  const navigate = useNavigate()
  const draft = useDraft(`new-plan:${plan_id}`)
  const body = operation.input.body as SuccessPlanDraft
  const said = useMemo(() => fieldsOf(body), [body])
  if (draft.restored === undefined) return null
  return (
    <PlanForm
      draft={draft}
      account_id={said.account_id}
      owner_id={said.owner_id}
      said={said}
      action={operation.state === 'attention' ? words.saveAndResend : updateWords.save}
      onSubmit={async (plan) => {
        const edited = await editNewPlan(operation.id, plan_id, plan)
        if (!edited) return toast(words.sentMeanwhile)
        draft.clear()
        await navigate(`/success-plans/${plan_id}`, { replace: true })
      }}
    />
  )
}

const fieldsOf = (body: SuccessPlanDraft): PlanFields => ({
  title: body.title,
  type: body.type ?? 'customer',
  account_id: body.account_id ?? '',
  owner_id: body.owner_id ?? '',
  start_date: body.start_date ?? '',
  end_date: body.end_date ?? '',
  description: body.description ?? '',
  success_criteria: body.success_criteria ?? '',
})
