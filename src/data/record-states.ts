import { withDependents, type Operation } from '../sync/core/operation.ts'
import { recordOf } from './optimistic.ts'

/** How what was said of a record stands; `held` by a call of the table that needs somebody first. */
export type RecordState = { kind: 'waiting' | 'attention' } | { kind: 'held'; by: string }

const WEIGHT = { waiting: 0, held: 1, attention: 2 }

/** The state of each record that something is on its way of; what weighs most where several are. */
export function recordStates(operations: readonly Operation[]): ReadonlyMap<string, RecordState> {
  const held = new Map<string, string>()
  for (const first of operations)
    if (first.state === 'attention')
      for (const id of withDependents(operations, first.id))
        if (id !== first.id) held.set(id, first.endpoint)
  const states = new Map<string, RecordState>()
  for (const operation of operations) {
    const id = recordOf(operation)
    if (id === undefined || operation.state === 'acknowledged') continue
    const by = held.get(operation.id)
    const state: RecordState =
      operation.state === 'attention'
        ? { kind: 'attention' }
        : by === undefined
          ? { kind: 'waiting' }
          : { kind: 'held', by }
    const known = states.get(id)
    if (!known || WEIGHT[state.kind] > WEIGHT[known.kind]) states.set(id, state)
  }
  return states
}
