// Converts an initiative to form fields and back.
import type * as v from 'valibot'
import { validateForm, type Validated } from '../../../contract/errors.ts'
import {
  InitiativeDraft,
  InitiativeEdit,
  type Initiative,
} from '../../../contract/schemas/initiatives.ts'
import { fieldLabels } from '../../data/operations/field-labels.ts'
import { formFields } from '../../widgets/editing/form-fields.ts'
import { nonEmptyFields, textFields, type Fields } from '../../widgets/editing/use-editor.tsx'

const NAMES = formFields(InitiativeEdit.entries, 'account_id', 'position')
export type InitiativeField = (typeof NAMES)[number]

export const initiativeLabels = fieldLabels(NAMES)

/** The fields of a new initiative. */
export const blankInitiative = (
  success_plan_id: string,
  owner_id: string,
): Fields<InitiativeField> => ({
  ...textFields({}, NAMES),
  success_plan_id,
  status: 'planned',
  owner_id,
})

/** The fields of an existing initiative. */
export const initiativeToFields = (initiative: Initiative): Fields<InitiativeField> =>
  textFields(initiative, NAMES)

/** Validates a new initiative with the contract's schema, which the server uses as well. */
export const checkDraft = (
  fields: Fields<InitiativeField>,
): Validated<v.InferOutput<typeof InitiativeDraft>> =>
  validateForm(InitiativeDraft, { title: '', ...nonEmptyFields(fields) })

/** Validates an edit with the contract's schema. */
export const checkEdit = (
  fields: Fields<InitiativeField>,
): Validated<v.InferOutput<typeof InitiativeEdit>> =>
  validateForm(InitiativeEdit, { title: '', ...nonEmptyFields(fields) })
