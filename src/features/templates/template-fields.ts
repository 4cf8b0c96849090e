// Converts a template to form fields and back. Form fields are text, so the initiatives are stored as
// JSON: drafts and change detection treat them like any other field.
import type * as v from 'valibot'
import { validateForm, type Validated } from '../../../contract/errors.ts'
import { TemplateEdit, type Template } from '../../../contract/schemas/templates.ts'
import { withoutErrors } from '../../ui/form/without-errors.ts'
import { nonEmptyFields, type Fields } from '../../widgets/editing/use-editor.tsx'
import { templateFormMessages as messages } from './messages.ts'

export type TemplateField = keyof typeof messages.fields

/** The typed values of an action; `key` identifies it while it is reordered. */
export interface ActionStep {
  key: string
  title: string
  due_offset_days: string
  assignee_role: string
  description: string | null
}
/** The typed values of an initiative with its actions. */
export interface InitiativeStep {
  key: string
  title: string
  start_offset_days: string
  end_offset_days: string
  description: string | null
  actions: ActionStep[]
}

const fieldsFrom = (template: Omit<Template, 'id' | 'version'>): Fields<TemplateField> => ({
  title: template.title,
  description: template.description ?? '',
  type: template.type ?? '',
  duration_days: String(template.duration_days),
  update_cadence_days: template.update_cadence_days?.toString() ?? '',
  initiatives: JSON.stringify(
    template.initiatives.map(
      ({ start_offset_days, end_offset_days, actions, ...initiative }, at): InitiativeStep => ({
        ...initiative,
        key: String(at),
        start_offset_days: String(start_offset_days),
        end_offset_days: String(end_offset_days),
        actions: actions.map(({ due_offset_days, assignee_role, ...action }, index) => ({
          ...action,
          key: `${at}.${index}`,
          due_offset_days: String(due_offset_days),
          assignee_role: assignee_role ?? '',
        })),
      }),
    ),
  ),
})

/** The fields of a new template. */
export const blankTemplate = (): Fields<TemplateField> =>
  fieldsFrom({
    title: '',
    description: null,
    type: null,
    duration_days: 90,
    update_cadence_days: null,
    initiatives: [],
    created_by: null,
    created_at: null,
    updated_at: null,
  })

/** The fields of an existing template. */
export const templateToFields = (template: Template): Fields<TemplateField> => fieldsFrom(template)

/** The initiatives in the form. */
export const stepsOf = (fields: Fields<TemplateField>): InitiativeStep[] =>
  JSON.parse(fields.initiatives) as InitiativeStep[]

/** NaN for an empty field, so that the schema reports it. */
const days = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))

/**
 * Validates the fields with the contract's schema, which the server uses as well. A role that it does not know is one
 * of another server: the initiatives are sent as a whole, and it stays.
 */
export function checkTemplate(
  fields: Fields<TemplateField>,
): Validated<v.InferOutput<typeof TemplateEdit>> {
  const { update_cadence_days: cadenceDays, initiatives: _, ...filled } = nonEmptyFields(fields)
  const checked = validateForm(TemplateEdit, {
    ...filled,
    title: fields.title,
    duration_days: days(fields.duration_days),
    ...(cadenceDays !== undefined && { update_cadence_days: Number(cadenceDays) }),
    initiatives: stepsOf(fields).map((initiative) => ({
      title: initiative.title,
      description: initiative.description,
      start_offset_days: days(initiative.start_offset_days),
      end_offset_days: days(initiative.end_offset_days),
      actions: initiative.actions.map((action) => ({
        title: action.title,
        description: action.description,
        due_offset_days: days(action.due_offset_days),
        assignee_role: action.assignee_role || null,
      })),
    })),
  })
  return withoutErrors(checked, (path) => path.endsWith('.assignee_role'))
}
