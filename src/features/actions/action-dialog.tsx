import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ACTION_STATUSES, PRIORITIES, type Action } from '../../../contract/schemas/actions.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextAreaField, TextField } from '../../ui/form/field.tsx'
import { EditorDialog } from '../../widgets/editing/editor-form.tsx'
import { withPresent } from '../../widgets/editing/form-fields.ts'
import { useRejectedEdit } from '../../data/operations/pending-edits.ts'
import { changesOf, useEditor } from '../../widgets/editing/use-editor.tsx'
import { useKeeps } from '../../sync/react/use-sync.ts'
import { useDeleteBlocker } from '../../widgets/editing/use-delete-blocker.ts'
import { deleteAtOnce } from '../../widgets/editing/delete-record.ts'
import { WeekendHint } from '../../widgets/editing/weekend-hint.tsx'
import { editingMessages } from '../../widgets/editing/messages.ts'
import { personText } from '../../data/organisations/person-name.ts'
import { membersQuery } from '../../data/organisations/queries.ts'
import { usePeople } from '../../data/organisations/use-people.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import {
  actionLabels,
  checkAction,
  contactChoice,
  actionToFields,
  memberChoice,
  toFieldErrors,
  type ActionField,
} from './action-fields.ts'
import { editAction } from '../../data/edit-action.ts'
import { actionFormMessages as messages } from './messages.ts'

/** What the form sets under other names: the assignee, and with the status the time of completion. */
const SET_BESIDE = { assignee_id: '', assignee_contact: '', completed_at: '' }

interface ActionDialogProps {
  action: Action
  /** Contacts who could be assigned. */
  contacts: readonly { name: string; email: string | null }[]
  onClose: () => void
}

/** The form for all fields of an action. Works offline. */
export function ActionDialog({ action, contacts, onClose }: ActionDialogProps) {
  const deleteBlocker = useDeleteBlocker('actions')(action)
  const initial = actionToFields(action)
  const rejected = useRejectedEdit('actions', action.id, { ...initial, ...SET_BESIDE })
  const editor = useEditor({
    draft: `action:${action.id}`,
    id: 'action',
    collection: 'actions',
    sets: { assignee: ['assignee_id', 'assignee_contact'] },
    initial,
    rejected: rejected && actionToFields({ ...action, ...(rejected.input.body as object) }),
    corrects: rejected,
    record: action,
    labels: actionLabels,
    check: (fields) => checkAction(action.id, fields),
    save: (value, changed: readonly ActionField[], seen = action, form) =>
      editAction(seen, changesOf(value, toFieldErrors(changed)), form),
    done: onClose,
  })
  const { field, initial: present } = editor

  return (
    <EditorDialog
      editor={editor}
      title={messages.title}
      action={messages.save}
      onCancel={onClose}
      extra={
        <Button
          variant="quiet"
          className="sm:me-auto"
          unavailable={deleteBlocker}
          onClick={() => {
            onClose()
            void deleteAtOnce({
              resource: 'actions',
              title: action.title,
              record: editor.seen ?? action,
            })
          }}
        >
          {editingMessages.delete}
        </Button>
      }
    >
      <TextField {...field('title')} autoComplete="off" />
      <div className="grid grid-cols-1 gap-x-4 min-[22rem]:grid-cols-2 gap-y-5">
        <SelectField {...field('status')}>
          {withPresent(ACTION_STATUSES, present.status).map((status) => (
            <option key={status} value={status}>
              {messages.status(status)}
            </option>
          ))}
        </SelectField>
        <SelectField {...field('priority')} optional>
          <option value="">{messages.noPriority}</option>
          {withPresent(PRIORITIES, present.priority).map((priority) => (
            <option key={priority} value={priority}>
              {messages.priority(priority)}
            </option>
          ))}
        </SelectField>
        <div>
          <TextField {...field('due_date')} type="date" optional />
          <WeekendHint
            day={editor.fields.due_date}
            onMove={(due_date) => editor.set({ due_date })}
          />
        </div>
        <AssigneeField
          {...field('assignee')}
          initial={editor.initial.assignee}
          action={action}
          contacts={contacts}
        />
      </div>
      <TextAreaField {...field('description')} optional />
    </EditorDialog>
  )
}

interface AssigneeFieldProps extends Omit<React.ComponentProps<typeof SelectField>, 'children'> {
  /** The current assignee; offered even if it is no longer a member or a contact. */
  initial: string
  action: Action
  contacts: ActionDialogProps['contacts']
}

function AssigneeField({ initial, action, contacts, ...field }: AssigneeFieldProps) {
  const members = useQuery(membersQuery()).data
  const user_id = useCurrentSession()?.user.id
  const keeps = useKeeps('actions')
  const team = usePeople()
  const people = useMemo(() => {
    const own = action.assignee_contact ? [action.assignee_contact] : []
    const others = keeps('assignee_contact') ? contacts : []
    return new Map([...own, ...others].map((contact) => [contactChoice(contact), contact.name]))
  }, [action.assignee_contact, contacts, keeps])
  const chosen = keeps('assignee_id')
    ? members
    : members?.filter((one) => memberChoice(one.user_id) === initial)
  const isKnown =
    initial === '' ||
    people.has(initial) ||
    members?.some((one) => memberChoice(one.user_id) === initial)
  return (
    <SelectField {...field} optional>
      <option value="">{messages.unassigned}</option>
      {!isKnown && <option value={initial}>{personText(team, action.assignee_id)}</option>}
      <optgroup label={messages.team}>
        {chosen?.map((member) => (
          <option key={member.user_id} value={memberChoice(member.user_id)}>
            {member.user_id === user_id ? messages.me(member.name) : member.name}
          </option>
        ))}
      </optgroup>
      {people.size > 0 && (
        <optgroup label={messages.customer}>
          {[...people].map(([choice, name]) => (
            <option key={choice} value={choice}>
              {name}
            </option>
          ))}
        </optgroup>
      )}
    </SelectField>
  )
}
