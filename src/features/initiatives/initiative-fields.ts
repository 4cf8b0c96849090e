// An initiative as the fields of its form, and back.
import type * as v from 'valibot'
import { validate, type Validated } from '../../../contract/errors.ts'
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

/** The form of a new initiative. */
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

/** The form of an initiative that there is. */
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

/** Checks the form of a new one by the contract's schema, which is the server's too. */
export const checkDraft = (
  fields: Fields<InitiativeField>,
): Validated<v.InferOutput<typeof InitiativeDraft>> =>
  validate(InitiativeDraft, { title: '', ...nonEmptyFields(fields) })

/** The same for one that there is. */
export const checkEdit = (
  fields: Fields<InitiativeField>,
): Validated<v.InferOutput<typeof InitiativeEdit>> =>
  validate(InitiativeEdit, { title: '', ...nonEmptyFields(fields) })
