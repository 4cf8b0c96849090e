// Converts an action to form fields and back.
import type * as v from 'valibot'
import { ActionEdit, type Action } from '../../../contract/schemas/actions.ts'
import { validateForm, type Validated } from '../../../contract/errors.ts'
import { fieldLabels, fieldName } from '../../data/operations/field-labels.ts'
import { formFields } from '../../widgets/editing/form-fields.ts'
import { nonEmptyFields, textFields, type Fields } from '../../widgets/editing/use-editor.tsx'

const NAMES = formFields(
  ActionEdit.entries,
  'id',
  'success_plan_id',
  'initiative_id',
  'account_id',
  'assignee_id',
  'assignee_contact',
  'completed_at',
  'position',
)
export type ActionField = (typeof NAMES)[number] | 'assignee'

export const actionLabels = { ...fieldLabels(NAMES), assignee: fieldName('assignee_id') }

type Contact = NonNullable<Action['assignee_contact']>
type Checked = v.InferOutput<typeof ActionEdit>

const MEMBER = 'member:'
const CONTACT = 'contact:'

/** The option value for a member. */
export const memberChoice = (user_id: string): string => MEMBER + user_id
/** The option value for a contact. */
export const contactChoice = ({ name, email }: Contact): string =>
  CONTACT + JSON.stringify({ name, email })

/** The fields of an existing action. */
export const actionToFields = (action: Action): Fields<ActionField> => ({
  ...textFields(action, NAMES),
  assignee:
    action.assignee_id !== null
      ? memberChoice(action.assignee_id)
      : action.assignee_contact
        ? contactChoice(action.assignee_contact)
        : '',
})

/** Validates the fields with the contract's schema, which the server uses as well. */
export function checkAction(id: string, fields: Fields<ActionField>): Validated<Checked> {
  const { assignee = '', ...filled } = nonEmptyFields(fields)
  return validateForm(ActionEdit, {
    title: '',
    ...filled,
    id,
    assignee_id: assignee.startsWith(MEMBER) ? assignee.slice(MEMBER.length) : null,
    assignee_contact: assignee.startsWith(CONTACT)
      ? (JSON.parse(assignee.slice(CONTACT.length)) as Contact)
      : null,
  })
}

/** Maps form field names to the action's own field names. */
export const toFieldErrors = (changed: readonly ActionField[]) =>
  changed.flatMap((name) =>
    name === 'assignee' ? (['assignee_id', 'assignee_contact'] as const) : ([name] as const),
  )
