import type * as v from 'valibot'
import { AccountEdit, type Account } from '../../../../contract/schemas/accounts.ts'
import { validateForm, type Validated } from '../../../../contract/errors.ts'
import { newId } from '../../../sync/browser/new-id.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { EditorDialog } from '../../../widgets/editing/editor-form.tsx'
import {
  changesOf,
  nonEmptyFields,
  useEditor,
  type Fields,
} from '../../../widgets/editing/use-editor.tsx'
import { editingMessages } from '../../../widgets/editing/messages.ts'
import { UNDO_MS, discardUnsent, isActive } from '../../../sync/enqueue-all.ts'
import { overlayAccounts } from '../../../data/accounts.ts'
import { oneRecordQuery, recordsQuery } from '../../../data/record-queries.ts'
import { activeScope } from '../../../sync/react/query-options.ts'
import { queryClient } from '../../../sync/react/query-client.ts'
import { sync } from '../../../sync/client.ts'
import { editRecord } from '../../../data/change-records.ts'
import { contactMessages as messages } from '../messages.ts'
import { findContact } from './find-contact.ts'

type Contact = Account['contacts'][number]
type ContactField = keyof typeof messages.fields | 'is_primary'
type Contacts = NonNullable<v.InferOutput<typeof AccountEdit>['contacts']>

interface ContactDialogProps {
  account: Account
  /** The contact to edit; omitted for a new one. */
  contact?: Contact | undefined
  onClose: () => void
}

/** Adds, edits or removes a contact of an account. Works offline. */
export function ContactDialog({ account, contact, onClose }: ContactDialogProps) {
  const initial = contactToFields(contact, account.contacts.length === 0)
  const current = contact && (findContact(account, contact) ?? contact)
  const editor = useEditor({
    draft: `contact:${account.id}${contact ? `:${contact.id}` : ''}`,
    id: 'contact',
    sets: Object.fromEntries(Object.keys(initial).map((name) => [name, ['contacts']])),
    initial,
    record: account,
    labels: { ...messages.fields, is_primary: messages.isPrimary },
    check: (fields) => check(fields, current ?? { id: newId() }),
    save: async ([edited], changed, seen = account, form) => {
      if (!edited || changed.length === 0) return
      const before = contactOf(account, edited.id) ?? contactOf(seen, edited.id)
      const now = before ? { ...before, ...changesOf(edited, changed) } : edited
      const contacts = withContact(account.contacts, now, seen.contacts)
      await editRecord('accounts', baseFor(now.id, account, seen), { contacts }, form)
    },
    done: onClose,
  })
  const { field, fields, set } = editor

  async function remove(removed: Contact) {
    const { contacts } = account
    const scope = activeScope()
    const at = contacts.findIndex(({ id }) => id === removed.id)
    if (at === -1) return onClose()
    const id = await editRecord(
      'accounts',
      baseFor(removed.id, account, editor.seen),
      { contacts: contacts.toSpliced(at, 1) },
      { delayMs: UNDO_MS },
    )
    onClose()
    toast(messages.removed(removed.name), {
      label: messages.undo,
      onSelect: () => void undo().catch(() => toast(editingMessages.failed)),
    })

    async function undo() {
      const discarded = id === undefined ? [] : await discardUnsent([id])
      // In another organisation nothing is written, nor read.
      const now = isActive(scope) ? shownAccount(account.id) : undefined
      if (!now && discarded.length === 0) return toast(messages.notBack(removed.name))
      // Missing where the removal was part of a creation, was sent already, or a later edit has the list without it.
      if (!now || findContact(now, removed)) return undefined
      return await editRecord('accounts', now, { contacts: now.contacts.toSpliced(at, 0, removed) })
    }
  }

  return (
    <EditorDialog
      editor={editor}
      title={contact ? messages.editTitle : messages.newTitle}
      description={account.name}
      action={messages.save}
      onCancel={onClose}
      extra={
        current && (
          <Button
            variant="quiet"
            className="sm:me-auto"
            onClick={() => void remove(current).catch(() => toast(editingMessages.failed))}
          >
            {messages.remove}
          </Button>
        )
      }
    >
      <TextField {...field('name')} autoComplete="off" />
      <TextField {...field('title')} autoComplete="off" optional />
      <TextField {...field('email')} type="email" autoComplete="off" optional />
      <TextField {...field('phone')} type="tel" autoComplete="off" optional />
      <TextField {...field('role')} hint={messages.roleHint} autoComplete="off" optional />
      <label className="flex min-h-9 items-center gap-2.5 text-sm coarse:min-h-11">
        <input
          type="checkbox"
          className="size-4"
          checked={fields.is_primary !== ''}
          onChange={(event) => set({ is_primary: event.target.checked ? 'yes' : '' })}
        />
        {messages.isPrimary}
      </label>
    </EditorDialog>
  )
}

/** The account as it is shown now, on its own page or in a list; undefined where it is gone. */
function shownAccount(id: string): Account | undefined {
  const isIt = (account: Account) => account.id === id
  const stored =
    queryClient.getQueryData(oneRecordQuery('accounts', id).queryKey) ??
    queryClient.getQueryData(recordsQuery('accounts').queryKey)?.find(isIt)
  return overlayAccounts(stored ? [stored] : [], sync().operations.get()).find(isIt)
}

const contactToFields = (contact: Contact | undefined, first: boolean): Fields<ContactField> => ({
  name: contact?.name ?? '',
  title: contact?.title ?? '',
  email: contact?.email ?? '',
  phone: contact?.phone ?? '',
  role: contact?.role ?? '',
  is_primary: (contact?.is_primary ?? first) ? 'yes' : '',
})

/** Validates the contact as the only one of an account, with the contract's schema. */
function check(
  fields: Fields<ContactField>,
  { id, phone }: Pick<Contact, 'id' | 'phone'>,
): Validated<Contacts> {
  const { is_primary, ...filled } = nonEmptyFields(fields)
  const contact = {
    name: '',
    // A number that this device has not read yet stays.
    ...(phone !== undefined && { phone: null }),
    ...filled,
    id,
    is_primary: is_primary !== undefined,
  }
  const result = validateForm(AccountEdit, { contacts: [contact] })
  if (result.ok) return { ok: true, value: result.value.contacts ?? [] }
  const errors = Object.entries(result.errors)
  return {
    ok: false,
    value: result.value?.contacts,
    errors: Object.fromEntries(
      errors.map(([path, messages]) => [path.replace(/^contacts\.0\./, ''), messages]),
    ),
  }
}

const contactOf = ({ contacts }: Account, id: string | undefined): Contact | undefined =>
  contacts.find((one) => one.id === id)

/**
 * What the change of a contact is compared with: the account as it is now, as other contacts stay as they are; if the
 * contact itself has changed since the dialog was opened, the account as `seen` there.
 */
function baseFor(id: string | undefined, now: Account, seen = now): Account {
  const shown = (account: Account) => JSON.stringify(contactOf(account, id))
  return shown(seen) === shown(now) ? now : seen
}

/** An account has at most one primary contact. One that is gone comes back to its place in `seen`. */
function withContact(
  contacts: readonly Contact[],
  contact: Contacts[number],
  seen: readonly Contact[],
): Contacts {
  const others: Contacts = contact.is_primary
    ? contacts.map((one) => ({ ...one, is_primary: false }))
    : [...contacts]
  const isIt = ({ id }: Contacts[number]) => id === contact.id
  if (others.some(isIt)) return others.map((one) => (isIt(one) ? contact : one))
  const at = seen.findIndex(isIt)
  return others.toSpliced(at === -1 ? others.length : at, 0, contact)
}
