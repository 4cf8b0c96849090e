import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState, type SubmitEvent } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { PLAN_TYPES, type SuccessPlanDraft } from '../../../contract/success-plans.ts'
import { StorageFullError } from '../../sync/ports.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextAreaField, TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { accountsQuery } from '../accounts/queries.ts'
import { membersQuery } from '../organisations/queries.ts'
import { ErrorSummary } from './error-summary.tsx'
import { planResolver, type PlanFields } from './plan-resolver.ts'
import type { useDraft } from './use-draft.ts'
import { newPlanWords as words, planWords, updateWords } from './words.ts'

interface PlanFormProps {
  draft: ReturnType<typeof useDraft>
  /** Chosen at first, where nothing was typed before. */
  account_id: string
  owner_id: string
  /** What the fields hold where nothing was typed before; empty unless given. */
  said?: Partial<PlanFields>
  /** The word on the button. */
  action: string
  onSubmit: (plan: SuccessPlanDraft) => Promise<void>
}

/** The form of a new plan. It works without a network; what is typed is kept as a draft. */
export function PlanForm(props: PlanFormProps) {
  const { draft, account_id, owner_id, said, action, onSubmit } = props
  const accounts = useQuery(accountsQuery()).data
  const members = useQuery(membersQuery()).data
  const blank = useMemo(
    () => ({ ...blankPlan(account_id, owner_id), ...said }),
    [account_id, owner_id, said],
  )
  const [kept] = useState(() => readFields(draft.restored, blank))
  const form = useForm<PlanFields, unknown, SuccessPlanDraft>({
    resolver: planResolver,
    defaultValues: kept ?? blank,
    shouldFocusError: false,
  })
  const [restored, setRestored] = useState(kept !== undefined)
  const [failure, setFailure] = useState<string>()
  const summary = useRef<HTMLDivElement>(null)
  const { errors, isSubmitting } = form.formState
  const fields = useWatch({ control: form.control })

  useEffect(() => {
    if (form.formState.isDirty) draft.save(JSON.stringify(fields))
  }, [fields, form.formState.isDirty, draft])

  async function submit(plan: SuccessPlanDraft) {
    setFailure(undefined)
    try {
      await onSubmit(plan)
    } catch (problem) {
      setFailure(problem instanceof StorageFullError ? words.full : updateWords.failed)
    }
  }
  function onSubmitEvent(event: SubmitEvent) {
    void form.handleSubmit(submit, () => summary.current?.focus())(event)
  }
  const field = (name: keyof PlanFields) => ({
    ...form.register(name),
    id: `plan-${name}`,
    label: words.fields[name],
    error: errors[name]?.message,
  })

  return (
    <form noValidate onSubmit={onSubmitEvent} className="mt-6 flex flex-col gap-6">
      {restored && (
        <Notice
          action={
            <Button
              variant="quiet"
              className="-my-1.5"
              onClick={() => {
                form.reset(blank)
                draft.clear()
                setRestored(false)
              }}
            >
              {updateWords.discardDraft}
            </Button>
          }
        >
          {updateWords.draftRestored}
        </Notice>
      )}
      <ErrorSummary
        ref={summary}
        title={words.summary}
        errors={Object.entries(errors).map(([name, error]) => ({
          field: `plan-${name}`,
          label: words.fields[name as keyof PlanFields],
          message: error.message ?? '',
        }))}
      />
      <TextField {...field('title')} autoComplete="off" />
      <div className="grid gap-6 sm:grid-cols-2">
        <SelectField {...field('type')}>
          {PLAN_TYPES.map((type) => (
            <option key={type} value={type}>
              {planWords.typeOf(type)}
            </option>
          ))}
        </SelectField>
        <SelectField
          {...field('account_id')}
          value={fields.account_id}
          optional={fields.type === 'project'}
        >
          <option value="">{words.noAccount}</option>
          {accounts
            ?.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
            .map((account) => (
              <option key={account.id} value={account.id}>
                {account.name}
              </option>
            ))}
        </SelectField>
        <TextField {...field('start_date')} type="date" optional />
        <TextField {...field('end_date')} type="date" optional />
        <SelectField {...field('owner_id')} value={fields.owner_id}>
          {members?.map((member) => (
            <option key={member.user_id} value={member.user_id}>
              {member.user_id === owner_id ? words.me(member.name) : member.name}
            </option>
          ))}
          {!members && <option value={owner_id}>{planWords.you}</option>}
        </SelectField>
      </div>
      <TextAreaField {...field('description')} hint={words.descriptionHint} optional />
      <TextAreaField {...field('success_criteria')} hint={words.criteriaHint} optional />
      {failure && <Notice tone="danger">{failure}</Notice>}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {action}
        </Button>
        <p className="text-sm text-ink-faint">{words.offlineHint}</p>
      </div>
    </form>
  )
}

const blankPlan = (account_id: string, owner_id: string): PlanFields => ({
  title: '',
  type: 'customer',
  account_id,
  owner_id,
  start_date: '',
  end_date: '',
  description: '',
  success_criteria: '',
})

function readFields(text: string | null | undefined, blank: PlanFields): PlanFields | undefined {
  if (!text) return undefined
  try {
    return { ...blank, ...(JSON.parse(text) as Partial<PlanFields>) }
  } catch {
    return undefined
  }
}
