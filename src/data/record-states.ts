import { withDependents, type Operation } from '../sync/core/operation.ts'
import type { ResourceName } from '../../contract/resources.ts'
import { recordIdOf, subjectOf } from './operations/operation-call.ts'

/** The state of a record's operations; `held` until an operation on a record of `by` is resolved. */
export type RecordState =
  | { kind: 'waiting' | 'attention' }
  | { kind: 'held'; by: ResourceName | undefined }

const WEIGHT = { waiting: 0, held: 1, attention: 2 }

/** The state of each record that something is on its way of; what weighs most where several are. */
export function recordStates(operations: readonly Operation[]): ReadonlyMap<string, RecordState> {
  const held = new Map<string, ResourceName | undefined>()
  for (const first of operations)
    if (first.state === 'attention')
      for (const id of withDependents(operations, first.id))
        if (id !== first.id) held.set(id, subjectOf(first))
  const states = new Map<string, RecordState>()
  for (const operation of operations) {
    const id = recordIdOf(operation)
    if (id === undefined || operation.state === 'acknowledged') continue
    const state: RecordState =
      operation.state === 'attention'
        ? { kind: 'attention' }
        : held.has(operation.id)
          ? { kind: 'held', by: held.get(operation.id) }
          : { kind: 'waiting' }
    const known = states.get(id)
    if (!known || WEIGHT[state.kind] > WEIGHT[known.kind]) states.set(id, state)
  }
  return states
}
