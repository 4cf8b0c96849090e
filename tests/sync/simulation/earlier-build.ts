// Two builds at once: after an update a tab of the earlier one runs on, beside tabs and a worker of the present one, in
// the same database. It does not know what came with the update, and leaves that to the others.
import { engineTable } from '../../../contract/engine-table.ts'
import type { EngineOptions } from '../../../src/sync/core/engine.ts'
import type { ApiCalls } from '../../../src/sync/core/ports.ts'

/** The part of the endpoint table that builds differ in. */
export interface BuildTable extends Pick<EngineOptions, 'partitions' | 'sources'> {
  calls: ApiCalls
}

/** By what came with an update: how one recognises the calls that did. */
const UPDATES: readonly ((name: string) => boolean)[] = [
  (name) => name.endsWith('SavedView') || name === 'sendBatch',
  (name) => /Initiatives?$|Actions?$/.test(name),
  (name) => /Actions?$/.test(name) || name === 'sendBatch',
  (name) => /^create(SuccessPlan|Initiative)$/.test(name),
]

const without = <T>(all: Record<string, T>, isNew: (name: string, value: T) => boolean) =>
  Object.fromEntries(Object.entries(all).filter(([name, value]) => !isNew(name, value)))

/** The table of a build before a random update. */
export function tableBeforeUpdate(rng: { pick: <T>(list: readonly T[]) => T }): BuildTable {
  const isNew = rng.pick(UPDATES)
  const { sources, partitions } = engineTable
  const calls: ApiCalls = without(engineTable.calls as ApiCalls, isNew)
  const known = new Set(Object.values(calls).map(({ collection }) => collection))
  const isNewCollection = (collection: string) => !known.has(collection)
  return {
    calls,
    partitions,
    sources: {
      ...sources,
      lists: without(sources.lists, isNewCollection),
      records: without(sources.records, isNewCollection),
      collectionOf: (one) => (isNew(one.endpoint) ? undefined : sources.collectionOf(one)),
      changedBy: (one) => (isNew(one.endpoint) ? [] : sources.changedBy(one)),
    },
  }
}
