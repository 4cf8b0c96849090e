import { withDependents, type Operation } from '../sync/core/operation.ts'
import type { ResourceName } from '../../contract/resources.ts'
import { recordIdOf, subjectOf } from './operations/operation-call.ts'

/** The state of a record's operations. `blocked`: depends on an operation on a `by` that needs attention. */
export type RecordState =
  | { kind: 'waiting' | 'attention' }
  | { kind: 'blocked'; by: ResourceName | undefined }

const WEIGHT = { waiting: 0, blocked: 1, attention: 2 }

type RecordStateKey = `${ResourceName} ${string}`

/** States by `recordStateKey`; an id alone is no key. */
export type RecordStates = ReadonlyMap<RecordStateKey, RecordState>

/** The key of a record among those of all resources, of which servers may number each from 1. */
export const recordStateKey = (resource: ResourceName, id: string): RecordStateKey =>
  `${resource} ${id}`

/** States for records with pending operations; the most severe if there are several. */
export function recordStates(operations: readonly Operation[]): RecordStates {
  const blocked = new Map<string, ResourceName | undefined>()
  for (const first of operations)
    if (first.state === 'attention')
      for (const id of withDependents(operations, first.id))
        if (id !== first.id) blocked.set(id, subjectOf(first))
  const states = new Map<RecordStateKey, RecordState>()
  for (const operation of operations) {
    const [resource, id] = [subjectOf(operation), recordIdOf(operation)]
    if (!resource || id === undefined || operation.state === 'acknowledged') continue
    const key = recordStateKey(resource, id)
    const state: RecordState =
      operation.state === 'attention'
        ? { kind: 'attention' }
        : blocked.has(operation.id)
          ? { kind: 'blocked', by: blocked.get(operation.id) }
          : { kind: 'waiting' }
    const known = states.get(key)
    if (!known || WEIGHT[state.kind] > WEIGHT[known.kind]) states.set(key, state)
  }
  return states
}
