import type { SuccessPlanDraft } from '../../../contract/schemas/success-plans.ts'
import { templatePlanDates } from '../../../contract/schemas/templates.ts'
import { useOperations } from '../../sync/react/use-sync.ts'
import { isFor, recordIdOf } from '../../data/operations/operation-call.ts'
import { useToday } from '../../data/organisations/use-today.ts'
import { useTemplates } from '../../data/templates.ts'
import { TemplateWork } from './template-work.tsx'
import { fromTemplateMessages as messages } from './messages.ts'

/** The template whose work the server will add to a pending plan; undefined if there is none. */
export function usePendingTemplateWork(success_plan_id: string) {
  const { templates } = useTemplates()
  const creation = useOperations().find(
    (one) => isFor(one, 'success_plans', 'create') && recordIdOf(one) === success_plan_id,
  )
  const draft = creation?.input.body as SuccessPlanDraft | undefined
  const template = templates?.find(({ id }) => id === draft?.template_id)
  return draft && template && { template, draft }
}

/** A preview of that work with its dates; the server creates the records. */
export function PendingTemplateWork({
  work,
}: {
  work: NonNullable<ReturnType<typeof usePendingTemplateWork>>
}) {
  const today = useToday()
  return (
    <section aria-labelledby="awaited-work">
      <h3 id="awaited-work" className="font-semibold">
        {messages.pending}
      </h3>
      <p className="mt-0.5 mb-4 max-w-prose text-sm text-ink-muted">{messages.pendingLead}</p>
      <TemplateWork
        label={messages.pending}
        template={work.template}
        start={templatePlanDates(work.template, work.draft, today).start_date}
        skipWeekends={work.draft.skip_weekends === true}
      />
    </section>
  )
}
