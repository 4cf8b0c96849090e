// Actions: what somebody has to do for an initiative, a plan or an account.
import * as v from 'valibot'
import {
  Day,
  EmailAddress,
  Id,
  Instant,
  Position,
  ReadDay,
  ReadInstant,
  Uuid,
  Version,
  clearable,
  line,
  maybe,
  oneOf,
  text,
} from './fields.ts'

export const ACTION_STATUSES = ['todo', 'in-progress', 'done', 'cancelled'] as const
export const PRIORITIES = ['low', 'medium', 'high'] as const

/** `assignee_contact` is somebody at the customer; `position` orders the actions of one initiative. */
export const Action = v.object({
  id: Id,
  success_plan_id: maybe(Id),
  initiative_id: maybe(Id),
  account_id: maybe(Id),
  title: v.string(),
  description: maybe(v.string()),
  status: v.optional(v.string(), 'todo'),
  priority: maybe(v.string()),
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
  /** When it was ticked off, by the device's clock; counts while the action is done. */
  completed_at: clearable(Instant),
}

/**
 * A new action goes behind the others, unless it says where: several made without a network arrive
 * in any order. In an initiative it belongs to the initiative's plan.
 */
export const ActionDraft = v.object({
  id: v.optional(Uuid),
  ...fields,
  position: v.optional(Position),
})
export type ActionDraft = v.InferInput<typeof ActionDraft>

/** An edit says which action it means, and names the fields that it changes. */
export const ActionEdit = v.object({
  id: Uuid,
  ...fields,
  title: v.optional(fields.title),
  position: v.optional(Position),
})
export type ActionEdit = v.InferInput<typeof ActionEdit>
