import { withDependents, type Operation } from '../sync/core/operation.ts'
import type { ResourceName } from '../../contract/resources.ts'
import { recordIdOf, subjectOf } from './operations/operation-call.ts'

/** The state of a record's operations. `blocked`: depends on an operation on a `by` that needs attention. */
export type RecordState =
  | { kind: 'waiting' | 'attention' }
  | { kind: 'blocked'; by: ResourceName | undefined }

const WEIGHT = { waiting: 0, blocked: 1, attention: 2 }

/** States by record id, for records with pending operations; the most severe if there are several. */
export function recordStates(operations: readonly Operation[]): ReadonlyMap<string, RecordState> {
  const blocked = new Map<string, ResourceName | undefined>()
  for (const first of operations)
    if (first.state === 'attention')
      for (const id of withDependents(operations, first.id))
        if (id !== first.id) blocked.set(id, subjectOf(first))
  const states = new Map<string, RecordState>()
  for (const operation of operations) {
    const id = recordIdOf(operation)
    if (id === undefined || operation.state === 'acknowledged') continue
    const state: RecordState =
      operation.state === 'attention'
        ? { kind: 'attention' }
        : blocked.has(operation.id)
          ? { kind: 'blocked', by: blocked.get(operation.id) }
          : { kind: 'waiting' }
    const known = states.get(id)
    if (!known || WEIGHT[state.kind] > WEIGHT[known.kind]) states.set(id, state)
  }
  return states
}
