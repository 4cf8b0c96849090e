// Two builds at once: after an update a tab of the earlier one runs on, beside tabs and a worker of the present one, in
// the same database. It does not know what came with the update, and leaves that to the others.
import { engineTable } from '../../../contract/engine-table.ts'
import type { EngineOptions } from '../../../src/sync/core/engine.ts'
import type { ApiCalls } from '../../../src/sync/core/ports.ts'

/** The part of the endpoint table that builds differ in. */
export interface BuildTable extends Pick<EngineOptions, 'partitions' | 'sources'> {
  calls: ApiCalls
}

/** An update: whether a call came with it. */
type Update = (name: string) => boolean

/** Plans and initiatives can be created offline, and others can depend on them in the outbox. */
export const OFFLINE_CREATION: Update = (name) => /^create(SuccessPlan|Initiative)$/.test(name)

export const UPDATES: readonly Update[] = [
  (name) => name.endsWith('SavedView') || name === 'sendBatch',
  (name) => /Initiatives?$|Actions?$/.test(name),
  (name) => /Actions?$/.test(name) || name === 'sendBatch',
  OFFLINE_CREATION,
  (name) => /^delete(SuccessPlan|Account|Initiative|Action)$/.test(name),
]

const without = <T>(all: Record<string, T>, isNew: (name: string, value: T) => boolean) =>
  Object.fromEntries(Object.entries(all).filter(([name, value]) => !isNew(name, value)))

const hidden = (name: string) => `unknown ${name}`
const renamed = (data: object, nameOf: (name: string) => string) =>
  Object.fromEntries(Object.entries(data).map(([name, list]) => [nameOf(name), list]))

/** Reads a page of `changes` without its schemas of some collections: it has their lists under other names. */
function readWithout(isNew: (collection: string) => boolean, json: unknown, id?: string) {
  const { read } = engineTable.sources.changes
  const page = json as { data?: object }
  if (!page?.data) return read(json, id)
  const data = renamed(page.data, (name) => (isNew(name) ? hidden(name) : name))
  const result = read({ ...page, data }, id)
  if (!result.ok) return result
  const value = result.value as { data: object }
  const known = without(value.data as Record<string, unknown>, isNew)
  const shown = renamed(known, (name) => name.replace(hidden(''), ''))
  return { ...result, value: { ...value, data: shown } }
}

/** The table of the build before an update. */
export function tableBefore(isNew: Update): BuildTable {
  const { sources, partitions } = engineTable
  const calls: ApiCalls = without(engineTable.calls as ApiCalls, isNew)
  const collectionsOf = (table: ApiCalls) =>
    new Set(Object.values(table).map(({ collection }) => collection))
  const added = collectionsOf(engineTable.calls).difference(collectionsOf(calls))
  const isNewCollection = (collection: string) => added.has(collection)
  return {
    calls,
    partitions,
    sources: {
      ...sources,
      changes: { ...sources.changes, read: (json, id) => readWithout(isNewCollection, json, id) },
      lists: without(sources.lists, isNewCollection),
      records: without(sources.records, isNewCollection),
      collectionOf: (one) => (isNew(one.endpoint) ? undefined : sources.collectionOf(one)),
      changedBy: (one) => (isNew(one.endpoint) ? [] : sources.changedBy(one)),
    },
  }
}
