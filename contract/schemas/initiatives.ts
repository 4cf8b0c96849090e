// Initiatives: the larger steps of a success plan or an account, with their actions.
import * as v from 'valibot'
import {
  Day,
  Id,
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
import { END_BEFORE_START, endsAfterStart } from './success-plans.ts'
import { HEALTHS, PLAN_STATUSES } from '../values.ts'

/** `progress` is calculated from the actions; `position` orders the initiatives of a plan. */
export const Initiative = v.object({
  id: Id,
  success_plan_id: maybe(Id),
  account_id: maybe(Id),
  title: v.string(),
  description: maybe(v.string()),
  status: v.optional(Word, 'planned'),
  health: maybe(Word),
  owner_id: maybe(Id),
  start_date: maybe(ReadDay),
  end_date: maybe(ReadDay),
  progress: v.optional(v.number(), 0),
  position: v.optional(v.number(), 0),
  version: Version,
  created_by: maybe(Id),
  created_at: maybe(ReadInstant),
  updated_at: maybe(ReadInstant),
})
export type Initiative = v.InferOutput<typeof Initiative>

const fields = {
  success_plan_id: clearable(Uuid),
  account_id: clearable(Uuid),
  title: line(),
  description: clearable(text()),
  health: clearable(oneOf(HEALTHS)),
  owner_id: clearable(Uuid),
  start_date: clearable(Day),
  end_date: clearable(Day),
}

/**
 * A new initiative is added at the end of its plan unless it has a `position`; creates queued
 * offline may arrive in any order.
 */
export const InitiativeDraft = v.pipe(
  v.object({
    id: v.optional(NewId),
    ...fields,
    status: v.optional(oneOf(['planned', 'in-progress'])),
    position: v.optional(Position),
  }),
  v.forward(v.partialCheck([['start_date'], ['end_date']], endsAfterStart, END_BEFORE_START), [
    'end_date',
  ]),
)
export type InitiativeDraft = v.InferInput<typeof InitiativeDraft>

/** A partial edit. A new status must be an allowed transition, as for plans. */
export const InitiativeEdit = v.pipe(
  v.object({
    ...fields,
    title: v.optional(fields.title),
    status: v.optional(oneOf(PLAN_STATUSES)),
    position: v.optional(Position),
  }),
  v.forward(v.partialCheck([['start_date'], ['end_date']], endsAfterStart, END_BEFORE_START), [
    'end_date',
  ]),
)
export type InitiativeEdit = v.InferInput<typeof InitiativeEdit>
