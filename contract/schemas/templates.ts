// Templates: reusable plans whose dates are days from the start of the plan.
import { addDays, nextWorkday } from './days.ts'
import { validationMessages as messages } from '../text/messages.ts'
import * as v from 'valibot'
import {
  Id,
  NewId,
  ReadInstant,
  Uuid,
  Version,
  clearable,
  line,
  maybe,
  oneOf,
  text,
  wholeNumber,
} from './fields.ts'
import { Cadence } from './success-plans.ts'
import { PLAN_TYPES } from '../values.ts'

/** Who gets a template's action when a plan is created from it. */
export const ASSIGNEE_ROLES = ['plan-owner', 'account-owner', 'customer'] as const
const MAX_DAYS = 3_650
export const MAX_TEMPLATE_INITIATIVES = 50
/** Of one initiative. */
export const MAX_TEMPLATE_ACTIONS = 100

const TemplateAction = v.object({
  title: v.string(),
  description: maybe(v.string()),
  due_offset_days: v.optional(v.number(), 0),
  assignee_role: maybe(v.string()),
})

const TemplateInitiative = v.object({
  title: v.string(),
  description: maybe(v.string()),
  start_offset_days: v.optional(v.number(), 0),
  end_offset_days: v.optional(v.number(), 0),
  actions: v.optional(v.array(TemplateAction), []),
})

export const Template = v.object({
  id: Id,
  title: v.string(),
  description: maybe(v.string()),
  type: maybe(v.string()),
  duration_days: v.optional(v.number(), 0),
  update_cadence_days: maybe(v.number()),
  initiatives: v.optional(v.array(TemplateInitiative), []),
  version: Version,
  created_by: maybe(Id),
  created_at: maybe(ReadInstant),
  updated_at: maybe(ReadInstant),
})
export type Template = v.InferOutput<typeof Template>
/** Its offsets are days from the plan's start. */
export type TemplateInitiative = Template['initiatives'][number]

const dayOffset = wholeNumber(0, MAX_DAYS)

const fields = {
  title: line(),
  description: clearable(text()),
  type: clearable(oneOf(PLAN_TYPES)),
  duration_days: wholeNumber(1, MAX_DAYS),
  update_cadence_days: clearable(Cadence),
  initiatives: v.optional(
    v.pipe(
      v.array(
        v.pipe(
          v.object({
            title: line(),
            description: clearable(text()),
            start_offset_days: dayOffset,
            end_offset_days: dayOffset,
            actions: v.optional(
              v.pipe(
                v.array(
                  v.object({
                    title: line(),
                    description: clearable(text()),
                    due_offset_days: dayOffset,
                    assignee_role: clearable(oneOf(ASSIGNEE_ROLES)),
                  }),
                ),
                v.maxLength(
                  MAX_TEMPLATE_ACTIONS,
                  messages.maxItems(MAX_TEMPLATE_ACTIONS, 'actions'),
                ),
              ),
              [],
            ),
          }),
          v.forward(
            v.partialCheck(
              [['start_offset_days'], ['end_offset_days']],
              ({ start_offset_days, end_offset_days }) => start_offset_days <= end_offset_days,
              messages.endBeforeStart,
            ),
            ['end_offset_days'],
          ),
        ),
      ),
      v.maxLength(
        MAX_TEMPLATE_INITIATIVES,
        messages.maxItems(MAX_TEMPLATE_INITIATIVES, 'initiatives'),
      ),
    ),
  ),
}

/** A partial edit. `initiatives` are replaced as a whole. */
export const TemplateEdit = v.object({
  ...fields,
  title: v.optional(fields.title),
  duration_days: v.optional(fields.duration_days),
})
export type TemplateEdit = v.InferInput<typeof TemplateEdit>

const REQUIRED = messages.required

/**
 * A new template: given in full, or copied from the plan `from_success_plan_id`. A copy takes the
 * plan's title and description unless the draft has its own.
 */
export const TemplateDraft = v.pipe(
  v.object({
    id: v.optional(NewId),
    from_success_plan_id: v.optional(Uuid),
    ...TemplateEdit.entries,
  }),
  v.forward(
    v.partialCheck(
      [['from_success_plan_id'], ['title']],
      (draft) => Boolean(draft.from_success_plan_id ?? draft.title),
      REQUIRED,
    ),
    ['title'],
  ),
  v.forward(
    v.partialCheck(
      [['from_success_plan_id'], ['duration_days']],
      (draft) => Boolean(draft.from_success_plan_id ?? draft.duration_days),
      REQUIRED,
    ),
    ['duration_days'],
  ),
)
export type TemplateDraft = v.InferInput<typeof TemplateDraft>

/**
 * The dates of a plan created from this template, where the draft leaves them open: an end without a start is
 * counted backwards.
 */
export const templatePlanDates = (
  template: Pick<Template, 'duration_days'>,
  draft: { start_date?: string | null | undefined; end_date?: string | null | undefined },
  today: string,
) => {
  const { end_date } = draft
  const { duration_days } = template
  const start_date = draft.start_date ?? (end_date ? addDays(end_date, -duration_days) : today)
  return { start_date, end_date: end_date ?? addDays(start_date, duration_days) }
}

const dueDay = (start: string, offset_days: number, skipWeekends: boolean): string => {
  const day = addDays(start, offset_days)
  return skipWeekends ? nextWorkday(day) : day
}

/**
 * The template with its offsets as days, for a plan that starts on `start` (`YYYY-MM-DD`). `skipWeekends` moves
 * ends and due dates on a weekend to the next working day.
 */
export const templateSchedule = (
  template: Pick<Template, 'duration_days' | 'initiatives'>,
  start: string,
  skipWeekends = false,
) => ({
  start_date: start,
  end_date: addDays(start, template.duration_days),
  initiatives: template.initiatives.map(
    ({ title, description, start_offset_days, end_offset_days, actions }) => ({
      title,
      description,
      start_date: addDays(start, start_offset_days),
      end_date: dueDay(start, end_offset_days, skipWeekends),
      actions: actions.map(({ due_offset_days, ...action }) => ({
        ...action,
        due_date: dueDay(start, due_offset_days, skipWeekends),
      })),
    }),
  ),
})
