// Actions: tasks of an initiative, a plan or an account.
import * as v from 'valibot'
import {
  Day,
  EmailAddress,
  Id,
  Instant,
  NewId,
  Position,
  ReadDay,
  ReadInstant,
  Uuid,
  Version,
  Word,
  clearable,
  line,
  maybe,
  oneOf,
  text,
} from './fields.ts'

export const ACTION_STATUSES = ['todo', 'in-progress', 'done', 'cancelled'] as const
export const PRIORITIES = ['low', 'medium', 'high'] as const

/** `assignee_contact` is a person at the customer; `position` orders the actions of an initiative. */
export const Action = v.object({
  id: Id,
  success_plan_id: maybe(Id),
  initiative_id: maybe(Id),
  account_id: maybe(Id),
  title: v.string(),
  description: maybe(v.string()),
  status: v.optional(Word, 'todo'),
  priority: maybe(Word),
  due_date: maybe(ReadDay),
  assignee_id: maybe(Id),
  assignee_contact: maybe(v.object({ name: v.string(), email: maybe(v.string()) })),
  completed_at: maybe(ReadInstant),
  position: v.optional(v.number(), 0),
  version: Version,
  created_by: maybe(Id),
  created_at: maybe(ReadInstant),
  updated_at: maybe(ReadInstant),
})
export type Action = v.InferOutput<typeof Action>

const fields = {
  success_plan_id: clearable(Uuid),
  initiative_id: clearable(Uuid),
  account_id: clearable(Uuid),
  title: line(),
  description: clearable(text()),
  status: v.optional(oneOf(ACTION_STATUSES)),
  priority: clearable(oneOf(PRIORITIES)),
  due_date: clearable(Day),
  assignee_id: clearable(Uuid),
  assignee_contact: clearable(v.object({ name: line(), email: clearable(EmailAddress) })),
  /** When it was completed, by the device's clock. Ignored unless the status is `done`. */
  completed_at: clearable(Instant),
}

/**
 * A new action is added at the end unless it has a `position`; creates queued offline may arrive in
 * any order. An action of an initiative belongs to the initiative's plan.
 */
export const ActionDraft = v.object({
  id: v.optional(NewId),
  ...fields,
  position: v.optional(Position),
})
export type ActionDraft = v.InferInput<typeof ActionDraft>

/** A partial edit of the action `id`. */
export const ActionEdit = v.object({
  id: Uuid,
  ...fields,
  title: v.optional(fields.title),
  position: v.optional(Position),
})
export type ActionEdit = v.InferInput<typeof ActionEdit>
