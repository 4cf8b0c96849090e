// Converts an initiative to form fields and back.
import type * as v from 'valibot'
import { validateForm, type Validated } from '../../../contract/errors.ts'
import {
  InitiativeDraft,
  InitiativeEdit,
  type Initiative,
} from '../../../contract/schemas/initiatives.ts'
import { nonEmptyFields, type Fields } from '../../widgets/editing/use-editor.tsx'

export type InitiativeField =
  | 'title'
  | 'success_plan_id'
  | 'status'
  | 'health'
  | 'owner_id'
  | 'start_date'
  | 'end_date'
  | 'description'

/** The fields of a new initiative. */
export const blankInitiative = (
  success_plan_id: string,
  owner_id: string,
): Fields<InitiativeField> => ({
  title: '',
  success_plan_id,
  status: 'planned',
  health: '',
  owner_id,
  start_date: '',
  end_date: '',
  description: '',
})

/** The fields of an existing initiative. */
export const initiativeToFields = (initiative: Initiative): Fields<InitiativeField> => ({
  title: initiative.title,
  success_plan_id: initiative.success_plan_id ?? '',
  status: initiative.status,
  health: initiative.health ?? '',
  owner_id: initiative.owner_id ?? '',
  start_date: initiative.start_date ?? '',
  end_date: initiative.end_date ?? '',
  description: initiative.description ?? '',
})

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
