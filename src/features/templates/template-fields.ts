// A template as the fields of its form, and back. A form's fields are text, so the initiatives are kept
// as JSON: drafts and the search for changes take them like any other field.
import type * as v from 'valibot'
import { validate, type Validated } from '../../../contract/errors.ts'
import { TemplateEdit, type Template } from '../../../contract/schemas/templates.ts'
import { nonEmptyFields, type Fields } from '../../widgets/editing/use-editor.tsx'
import { templateFormMessages as messages } from './messages.ts'

export type TemplateField = keyof typeof messages.fields

/** What is typed of an action and of an initiative; `key` tells it from its neighbours while it moves. */
export interface ActionStep {
  key: string
  title: string
  due_offset_days: string
  assignee_role: string
  description: string | null
}
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
        actions: actions.map(({ due_offset_days, assignee_role, ...action }, place) => ({
          ...action,
          key: `${at}.${place}`,
          due_offset_days: String(due_offset_days),
          assignee_role: assignee_role ?? '',
        })),
      }),
    ),
  ),
})

/** The form of a new template. */
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

/** The form of a template that there is. */
export const templateToFields = (template: Template): Fields<TemplateField> => fieldsFrom(template)

/** The initiatives as they stand in the form. */
export const stepsOf = (fields: Fields<TemplateField>): InitiativeStep[] =>
  JSON.parse(fields.initiatives) as InitiativeStep[]

/** What is empty is no number either: the schema says so. */
const days = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))

/** Checks the form by the contract's schema, which is the server's too. */
export function checkTemplate(
  fields: Fields<TemplateField>,
): Validated<v.InferOutput<typeof TemplateEdit>> {
  const { update_cadence_days: rhythm, initiatives: _, ...said } = nonEmptyFields(fields)
  return validate(TemplateEdit, {
    ...said,
    title: fields.title,
    duration_days: days(fields.duration_days),
    ...(rhythm !== undefined && { update_cadence_days: Number(rhythm) }),
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
}
