import type { Initiative } from '../../../contract/schemas/initiatives.ts'
import { transitionsFrom } from '../../../contract/rules.ts'
import { HEALTHS } from '../../../contract/values.ts'
import { SelectField, TextAreaField, TextField } from '../../ui/form/field.tsx'
import { EditorDialog } from '../../widgets/editing/editor-form.tsx'
import { withPresent } from '../../widgets/editing/form-fields.ts'
import { useRejectedEdit } from '../../data/operations/pending-edits.ts'
import { changesOf, useEditor, type Editor } from '../../widgets/editing/use-editor.tsx'
import { WeekendHint } from '../../widgets/editing/weekend-hint.tsx'
import { OwnerField } from '../../widgets/editing/owner-field.tsx'
import { useCurrentSession } from '../../data/current-session.ts'
import { statusMessages } from '../../widgets/status/messages.ts'
import {
  blankInitiative,
  checkDraft,
  checkEdit,
  initiativeLabels,
  initiativeToFields,
  type InitiativeField,
} from './initiative-fields.ts'
import { createRecord, editRecord } from '../../data/change-records.ts'
import { initiativeFormMessages as messages } from './messages.ts'

/** A plan that an initiative can belong to. */
export interface PlanChoice {
  id: string
  title: string
}

interface NewInitiativeProps {
  /** The plan of the new initiative; omitted if the user chooses it. */
  success_plan_id?: string
  position: number
  /** Plans to choose from, if `success_plan_id` is omitted. */
  plans?: readonly PlanChoice[]
  onClose: () => void
  onCreated: (id: string) => void
}

/** The form for a new initiative. Works offline. */
export function NewInitiative(props: NewInitiativeProps) {
  const { success_plan_id = '', position, plans, onClose, onCreated } = props
  const user_id = useCurrentSession()?.user.id ?? ''
  const editor = useEditor({
    draft: `new-initiative:${success_plan_id}`,
    id: 'initiative',
    collection: 'initiatives',
    initial: blankInitiative(success_plan_id, user_id),
    labels: initiativeLabels,
    check: checkDraft,
    save: (value, _changed, _seen, { draft }) =>
      createRecord('initiatives', { ...value, position }, draft),
    done: onCreated,
  })
  return (
    <EditorDialog
      editor={editor}
      title={messages.newTitle}
      action={messages.create}
      onCancel={onClose}
    >
      <InitiativeFields editor={editor} statuses={['planned', 'in-progress']} plans={plans} />
    </EditorDialog>
  )
}

interface EditInitiativeProps {
  initiative: Initiative
  plans?: readonly PlanChoice[] | undefined
  onClose: () => void
}

/** The form for all fields of an initiative. Works offline. */
export function EditInitiative({ initiative, plans, onClose }: EditInitiativeProps) {
  const initial = initiativeToFields(initiative)
  const rejected = useRejectedEdit('initiatives', initiative.id, initial)
  const editor = useEditor({
    draft: `initiative:${initiative.id}`,
    id: 'initiative',
    collection: 'initiatives',
    initial,
    rejected: rejected && initiativeToFields({ ...initiative, ...(rejected.input.body as object) }),
    corrects: rejected,
    record: initiative,
    labels: initiativeLabels,
    check: checkEdit,
    save: (value, changed: readonly InitiativeField[], seen = initiative, form) =>
      editRecord('initiatives', seen, changesOf(value, changed), form),
    done: onClose,
  })
  return (
    <EditorDialog
      editor={editor}
      title={messages.editTitle}
      action={messages.save}
      onCancel={onClose}
    >
      <InitiativeFields
        editor={editor}
        statuses={[editor.initial.status, ...transitionsFrom(editor.initial.status)]}
        plans={plans}
      />
    </EditorDialog>
  )
}

interface InitiativeFieldsProps {
  editor: Editor<InitiativeField>
  /** The statuses that can be selected. */
  statuses: readonly string[]
  plans: readonly PlanChoice[] | undefined
}

function InitiativeFields({ editor, statuses, plans }: InitiativeFieldsProps) {
  const { field } = editor
  return (
    <>
      <TextField {...field('title')} autoComplete="off" />
      {plans && (
        <SelectField {...field('success_plan_id')} optional>
          <option value="">{messages.noPlan}</option>
          {plans.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </SelectField>
      )}
      <div className="grid grid-cols-1 gap-x-4 min-[22rem]:grid-cols-2 gap-y-5">
        <SelectField {...field('status')}>
          {statuses.map((status) => (
            <option key={status} value={status}>
              {statusMessages.statusOption(status)}
            </option>
          ))}
        </SelectField>
        <SelectField {...field('health')} optional>
          <option value="">{messages.noHealth}</option>
          {withPresent(HEALTHS, editor.initial.health).map((health) => (
            <option key={health} value={health}>
              {statusMessages.health(health)}
            </option>
          ))}
        </SelectField>
        <TextField {...field('start_date')} type="date" optional />
        <div>
          <TextField {...field('end_date')} type="date" optional />
          <WeekendHint
            day={editor.fields.end_date}
            onMove={(end_date) => editor.set({ end_date })}
          />
        </div>
        <div className="min-[22rem]:col-span-2">
          <OwnerField {...field('owner_id')} none={messages.noOwner} me={messages.me} />
        </div>
      </div>
      <TextAreaField {...field('description')} hint={messages.descriptionHint} optional />
    </>
  )
}
