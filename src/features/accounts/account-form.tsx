import {
  ACCOUNT_STATUSES,
  ACCOUNT_TIERS,
  type Account,
} from '../../../contract/schemas/accounts.ts'
import { HEALTHS } from '../../../contract/values.ts'
import { SelectField, TextAreaField, TextField } from '../../ui/form/field.tsx'
import { CurrencyField } from '../../ui/form/locale-fields.tsx'
import { EditorForm } from '../../widgets/editing/editor-form.tsx'
import { withPresent } from '../../widgets/editing/form-fields.ts'
import { useRejectedEdit } from '../../data/operations/pending-edits.ts'
import { changesOf, useEditor } from '../../widgets/editing/use-editor.tsx'
import { OwnerField } from '../../widgets/editing/owner-field.tsx'
import { useCurrentSession } from '../../data/current-session.ts'
import { accountLabels, accountToFields, blankAccount, checkAccount } from './account-fields.ts'
import { createRecord, editRecord } from '../../data/change-records.ts'
import { accountFormMessages as messages, accountMessages } from './messages.ts'

interface AccountFormProps {
  /** The account to edit; omitted for a new one. */
  account?: Account
  onDone: (id: string) => unknown
  onCancel: () => void
}

/** The account form as part of a page. Works offline. */
export function AccountForm({ account, onDone, onCancel }: AccountFormProps) {
  const current = useCurrentSession()
  const user_id = current?.user.id ?? ''
  const initial = account
    ? accountToFields(account)
    : blankAccount(user_id, current?.organisation?.currency ?? 'USD')
  const rejected = useRejectedEdit('accounts', account?.id, initial)
  const editor = useEditor({
    draft: account ? `account:${account.id}` : 'new-account',
    id: 'account',
    collection: 'accounts',
    initial,
    rejected:
      account && rejected && accountToFields({ ...account, ...(rejected.input.body as object) }),
    corrects: rejected,
    record: account,
    labels: accountLabels,
    check: checkAccount,
    save: async (value, changed, seen, form) => {
      if (!seen) return await createRecord('accounts', value, form.draft)
      await editRecord('accounts', seen, changesOf(value, changed), form)
      return seen.id
    },
    done: onDone,
  })
  const { field, initial: present } = editor

  return (
    <EditorForm
      editor={editor}
      action={account ? messages.save : messages.create}
      onCancel={onCancel}
    >
      <TextField {...field('name')} autoComplete="off" />
      <div className="grid grid-cols-1 gap-x-4 min-[22rem]:grid-cols-2 gap-y-6 sm:gap-x-6">
        <SelectField {...field('status')}>
          {withPresent(ACCOUNT_STATUSES, present.status).map((status) => (
            <option key={status} value={status}>
              {accountMessages.enumLabel(status)}
            </option>
          ))}
        </SelectField>
        <SelectField {...field('health')} optional>
          <option value="">{messages.noHealth}</option>
          {withPresent(HEALTHS, present.health).map((health) => (
            <option key={health} value={health}>
              {accountMessages.enumLabel(health)}
            </option>
          ))}
        </SelectField>
        <TextField {...field('arr')} inputMode="decimal" autoComplete="off" optional />
        <CurrencyField {...field('currency')} />
        <TextField {...field('renewal_date')} type="date" optional />
        <SelectField {...field('tier')} optional>
          <option value="">{messages.noTier}</option>
          {withPresent(ACCOUNT_TIERS, present.tier).map((tier) => (
            <option key={tier} value={tier}>
              {accountMessages.enumLabel(tier)}
            </option>
          ))}
        </SelectField>
        <OwnerField {...field('owner_id')} none={messages.noOwner} me={messages.me} />
        <TextField {...field('industry')} autoComplete="off" optional />
      </div>
      <TextField {...field('website')} type="url" autoComplete="off" optional />
      <TextField {...field('tags')} hint={messages.tagsHint} autoComplete="off" optional />
      <TextAreaField {...field('notes')} hint={messages.notesHint} optional />
    </EditorForm>
  )
}
