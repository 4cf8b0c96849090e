// One change of several plans. Pure.
import { endpoints } from '../../../../contract/endpoints.ts'
import type { SuccessPlan, SuccessPlanEdit } from '../../../../contract/schemas/success-plans.ts'
import type { Health, PlanStatus } from '../../../../contract/values.ts'
import { updateCall } from '../../../data/success-plans/post-update.ts'
import type { NewCall } from '../../../sync/enqueue-all.ts'
import {
  endAfter,
  type EndChange,
  type RecordChange,
} from '../../../widgets/editing/many/record-change.ts'
import type { Outcome } from '../updates/note-draft.ts'

/** What a user changes on one or more plans. Status and health are posted to the feed with a note. */
export type PlanChange =
  | EndChange
  | Extract<RecordChange, { kind: 'owner' }>
  | { kind: 'status'; status: PlanStatus; body: string; outcome?: Outcome }
  | { kind: 'health'; health: Health; body: string }

const editCall = (plan: SuccessPlan, body: SuccessPlanEdit): NewCall => ({
  row: endpoints.updateSuccessPlan,
  input: { path: { id: plan.id }, body },
  seen: plan,
})

/** The call that changes one plan: an edit, or for status and health an update in its feed. */
export function callOf(plan: SuccessPlan, change: PlanChange): NewCall {
  if (change.kind === 'owner') return editCall(plan, { owner_id: change.owner_id })
  if (change.kind === 'end' || change.kind === 'move')
    return editCall(plan, { end_date: endAfter(plan, change) })
  const { kind: _kind, ...update } = change
  return updateCall(plan, update)
}
