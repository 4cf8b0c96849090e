import { Plus } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { CADENCES, PLAN_TYPES } from '../../../../contract/values.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextAreaField, TextField } from '../../../ui/form/field.tsx'
import { templatePlanDates } from '../../../../contract/schemas/templates.ts'
import { useAccounts } from '../../../data/accounts.ts'
import { EditorForm } from '../../../widgets/editing/editor-form.tsx'
import { withPresent } from '../../../widgets/editing/form-fields.ts'
import { pendingCreation, useRejectedEdit } from '../../../data/operations/pending-edits.ts'
import { useKeeps } from '../../../sync/react/use-sync.ts'
import { useCurrentIds } from '../../../data/record-id.ts'
import { changesOf, useEditor } from '../../../widgets/editing/use-editor.tsx'
import { OwnerField } from '../../../widgets/editing/owner-field.tsx'
import { useToday } from '../../../data/organisations/use-today.ts'
import { useCurrentSession } from '../../../data/current-session.ts'
import { createTemplate, useTemplates } from '../../../data/templates.ts'
import { sync } from '../../../sync/client.ts'
import { isStarter } from '../../templates/starters.ts'
import { TemplateChoice, TemplatePreview } from '../../templates/template-choice.tsx'
import { useStarters } from '../../templates/use-starters.ts'
import { createRecord, editRecord } from '../../../data/change-records.ts'
import { blankPlan, checkPlan, planLabels, planToFields } from './plan-fields.ts'
import { PlanDates } from './plan-dates.tsx'
import { proposedTitle, withProposedTitle } from './proposed-title.ts'
import { planScreenMessages, planFormMessages as messages } from '../plan-messages.ts'
import { compareText } from '../../../ui/text/format.ts'

const NewAccount = lazy(async () => ({ default: (await import('./new-account.tsx')).NewAccount }))

interface PlanFormProps {
  /** The plan to edit; omitted for a new one. */
  plan?: SuccessPlan
  /** The account of a new plan; empty if the user chooses it. */
  account_id?: string
  /** The template of a new plan; empty for none. */
  template_id?: string
  /** The last day of a new plan; empty if the user chooses it. */
  end_date?: string
  onDone: (id: string) => unknown
  onCancel: () => void
}

/** The plan form as part of a page. Works offline. */
export function PlanForm(props: PlanFormProps) {
  const { plan, account_id = '', template_id = '', end_date = '', onDone, onCancel } = props
  const user = useCurrentSession()?.user
  const { templates, query: ofTemplates } = useTemplates()
  const today = useToday()
  const starters = useStarters()
  const offered = [...(templates ?? []), ...starters]
  const templateOf = (id: string | null | undefined) => offered.find((one) => one.id === id)
  const typeOf = (id: string) => PLAN_TYPES.find((type) => type === templateOf(id)?.type)
  const { accounts, query: ofAccounts } = useAccounts()
  const accountOf = (id: string) => accounts?.find((one) => one.id === id)
  const titleOf = (of: { template_id: string; account_id: string }) =>
    proposedTitle(templateOf(of.template_id), accountOf(of.account_id))
  const created = plan && pendingCreation(sync().operations.get(), 'success_plans', plan.id)
  const initial = plan
    ? planToFields(plan, created)
    : {
        ...blankPlan(account_id, user?.id ?? ''),
        template_id,
        end_date,
        title: titleOf({ template_id, account_id }),
        type: typeOf(template_id) ?? 'customer',
      }
  const keeps = useKeeps('success_plans')
  const rejected = useRejectedEdit('success_plans', plan?.id, initial)
  const editor = useEditor({
    // Named by the account and the template in the address, so that no plan shows text typed for another customer.
    // The end date is not part of the name: it changes when the renewal date does.
    draft: plan ? `plan:${plan.id}` : `new-plan:${account_id}:${template_id}`.replace(/:+$/, ''),
    id: 'plan',
    collection: 'success_plans',
    initial,
    reads: [...(template_id ? [ofTemplates] : []), ...(account_id ? [ofAccounts] : [])],
    rejected: plan && rejected && planToFields({ ...plan, ...(rejected.input.body as object) }),
    corrects: rejected,
    record: plan,
    labels: planLabels,
    // A starter that can no longer be added, because the network is gone, is left out.
    check: (fields) =>
      checkPlan(
        isStarter(fields.template_id) && !chosen ? { ...fields, template_id: '' } : fields,
        keeps,
      ),
    save: async (value, changed, seen, form) => {
      // Sends the dates of the preview: for a start left empty the server would use the day on which
      // the plan arrives.
      if (!seen) {
        const starter = starters.find(({ id }) => id === value.template_id)
        if (starter) await createTemplate(starter)
        return await createRecord(
          'success_plans',
          { ...value, ...(chosen && templatePlanDates(chosen, value, today)) },
          form.draft,
        )
      }
      const changes = changesOf({ ...value, skip_weekends: value.skip_weekends ?? false }, changed)
      await editRecord('success_plans', seen, changes, form)
      return seen.id
    },
    done: onDone,
  })
  const idNow = useCurrentIds()
  const { field, set, initial: present } = editor
  // The server may have made the id of the account that was just created.
  const fields = { ...editor.fields, account_id: idNow(editor.fields.account_id) }
  const chosen = templateOf(fields.template_id)
  // The template counts only until the server has created the plan.
  const choose = (changes: { template_id?: string; account_id?: string }) => {
    const type = typeOf(changes.template_id ?? '') ?? fields.type
    set({ ...(isNew ? withProposedTitle(fields, changes, titleOf) : changes), type })
  }
  const isNew = !plan || created !== undefined

  return (
    <EditorForm editor={editor} action={plan ? messages.save : messages.create} onCancel={onCancel}>
      {isNew && offered.length > 0 && (
        <TemplateChoice
          {...field('template_id')}
          templates={offered}
          onChange={(event) => choose({ template_id: event.target.value })}
        />
      )}
      {isNew && chosen && (
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
      <div className="grid grid-cols-1 gap-6 sm:grid-cols-2">
        <SelectField {...field('type')}>
          {withPresent(PLAN_TYPES, present.type).map((type) => (
            <option key={type} value={type}>
              {planScreenMessages.typeOf(type)}
            </option>
          ))}
        </SelectField>
        <AccountChoice
          {...field('account_id')}
          value={fields.account_id}
          optional={fields.type === 'project' || !keeps('type')}
          onChange={(event) => choose({ account_id: event.target.value })}
          onChoose={(id) => choose({ account_id: id })}
        />
        <PlanDates
          editor={editor}
          account={isNew ? accountOf(fields.account_id) : undefined}
          countsBack={isNew && chosen !== undefined}
          today={today}
        />
        <OwnerField {...field('owner_id')} me={messages.me} />
        <SelectField {...field('progress_mode')}>
          {withPresent(['manual', 'auto'], present.progress_mode).map((mode) => (
            <option key={mode} value={mode}>
              {messages.progressBy(mode)}
            </option>
          ))}
        </SelectField>
        <SelectField {...field('update_cadence_days')} optional>
          <option value="">{messages.noCadence}</option>
          {withPresent(CADENCES.map(String), present.update_cadence_days).map((days) => (
            <option key={days} value={days}>
              {planScreenMessages.cadenceDays(Number(days))}
            </option>
          ))}
        </SelectField>
      </div>
      <TextAreaField {...field('description')} hint={messages.descriptionHint} optional />
      <TextAreaField {...field('success_criteria')} hint={messages.criteriaHint} optional />
    </EditorForm>
  )
}

interface AccountChoiceProps extends Omit<React.ComponentProps<typeof SelectField>, 'children'> {
  onChoose: (id: string) => void
}

/** Chooses an existing account or creates one. */
function AccountChoice({ onChoose, ...field }: AccountChoiceProps) {
  const { accounts } = useAccounts()
  const [creating, setCreating] = useState(false)
  const ordered = useMemo(
    () => accounts?.toSorted((a, b) => compareText(a.name, b.name)),
    [accounts],
  )
  if (field.hidden) return null
  return (
    <div className="flex flex-col items-start gap-1 *:first:w-full">
      <SelectField {...field}>
        <option value="">{messages.noAccount}</option>
        {ordered?.map((account) => (
          <option key={account.id} value={account.id}>
            {account.name}
          </option>
        ))}
      </SelectField>
      <Button variant="quiet" className="-ms-3.5" onClick={() => setCreating(true)}>
        <Plus aria-hidden />
        {messages.newAccount}
      </Button>
      {creating && (
        <Suspense>
          <NewAccount
            onClose={() => setCreating(false)}
            onCreated={(id) => {
              setCreating(false)
              onChoose(id)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}
