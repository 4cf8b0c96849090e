import { useState } from 'react'
import type { Account } from '../../../contract/schemas/accounts.ts'
import type { User } from '../../../contract/schemas/people.ts'
import { templatePlanDates, type Template } from '../../../contract/schemas/templates.ts'
import { useKeeps } from '../../sync/react/use-sync.ts'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { useAccounts } from '../../data/accounts.ts'
import { PlainForm } from '../../widgets/editing/plain-form.tsx'
import { useEditor } from '../../widgets/editing/use-editor.tsx'
import { useToday } from '../../data/organisations/use-today.ts'
import { createRecord } from '../../data/change-records.ts'
import { usePlans } from '../../data/success-plans/queries.ts'
import { createTemplate } from '../../data/templates.ts'
import { useTemplates } from '../../data/templates.ts'
import { blankPlan, checkPlan, planLabels } from '../success-plans/form/plan-fields.ts'
import { PlanDates } from '../success-plans/form/plan-dates.tsx'
import { proposedTitle, withProposedTitle } from '../success-plans/form/proposed-title.ts'
import { TemplateChoice, TemplatePreview } from '../templates/template-choice.tsx'
import { useStarters } from '../templates/use-starters.ts'
import { InOrganisation, OrganisationReady } from './in-organisation.tsx'
import { ImportOffer } from './import-offer.tsx'
import type { StepProps } from './onboarding-screen.tsx'
import { onboardingMessages as messages } from './messages.ts'

/** Creates the first plan, from a template if the organisation has any. */
export function PlanStep({ user, onDone }: StepProps) {
  return <InOrganisation>{() => <FirstPlan user={user} onDone={onDone} />}</InOrganisation>
}

interface FirstPlanProps {
  user: User
  onDone: () => void
}

function FirstPlan({ user, onDone }: FirstPlanProps) {
  const { plans, query } = usePlans()
  const { templates, query: ofTemplates } = useTemplates()
  const { accounts, query: ofAccounts } = useAccounts()
  const loads =
    (!plans && query.isFetching) ||
    (!templates && ofTemplates.isFetching) ||
    (!accounts && ofAccounts.isFetching)
  const exists = plans !== undefined && plans.length > 0
  // It stays open while the plan that it has created appears.
  const [isOpened, setOpened] = useState(false)
  if (!loads && !exists && !isOpened) setOpened(true)
  if (loads && !isOpened) return <SkeletonRows label={messages.loading} rows={1} />
  if (exists && !isOpened)
    return (
      <OrganisationReady onContinue={onDone}>
        {messages.plan.alreadyExists(plans.length)}
      </OrganisationReady>
    )
  return (
    <>
      <PlanForm
        owner_id={user.id}
        templates={templates ?? []}
        accounts={accounts ?? []}
        onDone={onDone}
      />
      <ImportOffer to="/success-plans?import">{messages.plan.import}</ImportOffer>
    </>
  )
}

interface PlanFormProps {
  owner_id: string
  templates: readonly Template[]
  accounts: readonly Account[]
  onDone: () => void
}

function PlanForm({ owner_id, templates, accounts, onDone }: PlanFormProps) {
  const today = useToday()
  const starters = useStarters()
  const offered = [...templates, ...starters]
  const templateOf = (id: string | null | undefined) => offered.find((one) => one.id === id)
  const keeps = useKeeps('success_plans')
  const editor = useEditor({
    draft: 'first-plan',
    id: 'plan',
    collection: 'success_plans',
    // Without a start, so that a template can be counted back from the end.
    initial: blankPlan(accounts[0]?.id ?? '', owner_id),
    labels: planLabels,
    check: (fields) =>
      checkPlan(
        {
          ...fields,
          template_id: templateOf(fields.template_id)?.id ?? '',
          type: fields.account_id === '' ? 'project' : 'customer',
        },
        keeps,
      ),
    save: async (plan, _changed, _seen, { draft }) => {
      const starter = starters.find(({ id }) => id === plan.template_id)
      if (starter) await createTemplate(starter)
      const template = templateOf(plan.template_id)
      // Sends the dates of the preview, whenever the plan is sent.
      await createRecord(
        'success_plans',
        { ...plan, ...(template && templatePlanDates(template, plan, today)) },
        draft,
      )
    },
    done: onDone,
  })
  const { field, fields, set } = editor
  const chosen = templateOf(fields.template_id)
  const accountOf = (id: string) => accounts.find((one) => one.id === id)
  const choose = (changes: { template_id?: string; account_id?: string }) =>
    set(
      withProposedTitle(fields, changes, (of) =>
        proposedTitle(templateOf(of.template_id), accountOf(of.account_id)),
      ),
    )

  return (
    <PlainForm editor={editor} action={messages.plan.create}>
      {offered.length > 0 && (
        <TemplateChoice
          {...field('template_id')}
          templates={offered}
          onChange={({ target }) => choose({ template_id: target.value })}
        />
      )}
      {chosen && (
        <TemplatePreview
          template={chosen}
          dates={fields}
          today={today}
          skipWeekends={fields.skip_weekends !== ''}
          onSkipWeekends={(isOn) => set({ skip_weekends: isOn ? 'yes' : '' })}
          onStart={(start_date) => set({ start_date })}
        />
      )}
      <TextField {...field('title')} autoComplete="off" />
      <SelectField
        {...field('account_id')}
        onChange={({ target }) => choose({ account_id: target.value })}
      >
        <option value="">{messages.plan.project}</option>
        {accounts.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <PlanDates
          editor={editor}
          account={accountOf(fields.account_id)}
          countsBack={chosen !== undefined}
          today={today}
        />
      </div>
    </PlainForm>
  )
}
