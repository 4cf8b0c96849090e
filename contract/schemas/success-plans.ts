// Success plans and their updates.
import { validationMessages as messages } from '../text/messages.ts'
import * as v from 'valibot'
import {
  Day,
  Id,
  Instant,
  NewId,
  ReadDay,
  ReadInstant,
  Uuid,
  Version,
  Word,
  clearable,
  isVisible,
  line,
  maybe,
  oneOf,
  text,
  wholeNumber,
} from './fields.ts'
import { CADENCES, HEALTHS, OUTCOMES, PLAN_STATUSES, PLAN_TYPES } from '../values.ts'

/** `status` is any string when read; the app shows an unknown one as a `primary` tag. */
export const SuccessPlan = v.object({
  id: Id,
  title: v.string(),
  type: v.optional(Word, 'customer'),
  status: v.string(),
  health: maybe(Word),
  progress: v.optional(v.number(), 0),
  progress_mode: v.optional(Word, 'manual'),
  description: maybe(v.string()),
  success_criteria: maybe(v.string()),
  start_date: maybe(ReadDay),
  end_date: maybe(ReadDay),
  account_id: maybe(Id),
  owner_id: maybe(Id),
  template_id: maybe(Id),
  outcome: maybe(Word),
  close_note: maybe(v.string()),
  update_cadence_days: maybe(v.number()),
  /** Null without an update; absent where the server has no such field, and nothing is known. */
  last_update_at: v.nullish(ReadInstant),
  actions_count: v.optional(v.number(), 0),
  actions_done_count: v.optional(v.number(), 0),
  version: Version,
  created_by: maybe(Id),
  created_at: maybe(ReadInstant),
  updated_at: maybe(ReadInstant),
})
export type SuccessPlan = v.InferOutput<typeof SuccessPlan>

/** Days between updates. */
export const Cadence = v.picklist(CADENCES, messages.cadence)

const fields = {
  title: line(),
  type: v.optional(oneOf(PLAN_TYPES)),
  health: clearable(oneOf(HEALTHS)),
  progress: v.optional(wholeNumber(0, 100)),
  progress_mode: v.optional(oneOf(['manual', 'auto'])),
  description: clearable(text()),
  success_criteria: clearable(text()),
  start_date: clearable(Day),
  end_date: clearable(Day),
  account_id: clearable(Uuid),
  owner_id: v.optional(Uuid),
  update_cadence_days: clearable(Cadence),
}

/** Whether the dates are in order; true if one is missing. */
export const endsAfterStart = (plan: {
  start_date?: string | null | undefined
  end_date?: string | null | undefined
}) => !plan.start_date || !plan.end_date || plan.end_date >= plan.start_date
export const END_BEFORE_START = messages.endDateBeforeStart

/** A new plan. A customer plan (the default type) requires an account of the same organisation. */
export const SuccessPlanDraft = v.pipe(
  v.object({
    id: v.optional(NewId),
    ...fields,
    status: v.optional(oneOf(['planned', 'in-progress'])),
    template_id: clearable(Uuid),
    /** Moves what a template makes due on a weekend to the next working day. */
    skip_weekends: v.optional(v.boolean()),
  }),
  v.forward(v.partialCheck([['start_date'], ['end_date']], endsAfterStart, END_BEFORE_START), [
    'end_date',
  ]),
  v.forward(
    v.partialCheck(
      [['type'], ['account_id']],
      (plan) => plan.type === 'project' || Boolean(plan.account_id),
      messages.accountOfPlan,
    ),
    ['account_id'],
  ),
)
export type SuccessPlanDraft = v.InferInput<typeof SuccessPlanDraft>

/** A partial edit. A new status is a transition, with an optional `note`, `outcome` and, at the end, `close_note`. */
export const SuccessPlanEdit = v.pipe(
  v.object({
    ...fields,
    title: v.optional(fields.title),
    status: v.optional(oneOf(PLAN_STATUSES)),
    /** Names the template that the plan was made from; nothing of the template is added. */
    template_id: clearable(Uuid),
    note: v.optional(text(5_000)),
    outcome: clearable(oneOf(OUTCOMES)),
    close_note: clearable(text(5_000)),
  }),
  v.forward(v.partialCheck([['start_date'], ['end_date']], endsAfterStart, END_BEFORE_START), [
    'end_date',
  ]),
)
export type SuccessPlanEdit = v.InferInput<typeof SuccessPlanEdit>

/** Append-only. `written_at` is the device's clock, `created_at` the server's. */
export const SuccessPlanUpdate = v.object({
  id: Id,
  success_plan_id: Id,
  user_id: maybe(Id),
  body: v.optional(v.string(), ''),
  health: maybe(Word),
  progress_from: maybe(v.number()),
  progress_to: maybe(v.number()),
  status_from: maybe(Word),
  status_to: maybe(Word),
  written_at: ReadInstant,
  created_at: maybe(ReadInstant),
  version: Version,
  /** The plan's version after this update. Only in the answer to the POST. */
  success_plan_version: v.optional(v.number()),
})
export type SuccessPlanUpdate = v.InferOutput<typeof SuccessPlanUpdate>

/** The most characters of an update. */
export const MAX_UPDATE_LENGTH = 5_000

/** Said at `body` of an update without content. */
export const EMPTY_UPDATE = messages.emptyUpdate

/**
 * A new update. It needs text, or a change of progress, status, health or outcome. An outcome without a status is that
 * of a completed plan, and its text the closing note.
 */
export const SuccessPlanUpdateDraft = v.pipe(
  v.object({
    id: v.optional(NewId),
    body: v.optional(text(MAX_UPDATE_LENGTH), ''),
    progress: v.optional(wholeNumber(0, 100)),
    status: v.optional(oneOf(PLAN_STATUSES)),
    health: v.optional(oneOf(HEALTHS)),
    outcome: v.optional(oneOf(OUTCOMES)),
    written_at: v.optional(Instant),
  }),
  v.forward(
    v.check(
      (draft) =>
        isVisible(draft.body) ||
        draft.progress !== undefined ||
        draft.status !== undefined ||
        draft.health !== undefined ||
        draft.outcome !== undefined,
      EMPTY_UPDATE,
    ),
    ['body'],
  ),
)
/** What an update says and sets. */
type UpdateContent = { body?: string | undefined } & {
  [field in 'progress' | 'health' | 'status' | 'outcome']?: unknown
}

/** Whether an update has only the status that the plan has already, or an outcome that it has or cannot have. */
export const repeatsStatus = (
  plan: { status?: unknown; outcome?: unknown },
  { body = '', progress, health, status, outcome }: UpdateContent,
): boolean =>
  (status ?? plan.status) === plan.status &&
  progress === undefined &&
  health === undefined &&
  !isVisible(body) &&
  (plan.status !== 'completed' || outcome === undefined || outcome === plan.outcome)

export type SuccessPlanUpdateDraft = v.InferInput<typeof SuccessPlanUpdateDraft>
