// What lands on the device is put on the screens that show it.
import type { QueryKey } from '@tanstack/react-query'
import type { Replica, ReplicaRecord, Scope } from '../core/replica.ts'
import { sync } from '../client.ts'
import type { Engine } from '../core/engine.ts'
import type { ChangedIds } from '../core/ports.ts'
import type { ScreenCache } from '../browser/start-engine.ts'
import { clearBootCache } from './boot-cache.ts'
import { activeScope } from './query-options.ts'
import { queryKeyOf, queryClient } from './query-client.ts'

/** More changed records than this are read from the device at once instead of one by one. */
const MAX_SINGLE_READS = 50

let applying: Promise<void> = Promise.resolve()

/**
 * Brings what landed on the device to the screens that show it; resolves when it is there. One
 * landing after the other, or a slow one could put back what a later one has replaced.
 */
function applyToQueries(
  from: Pick<Engine, 'replicaOf'>,
  scope: Scope,
  changed: ChangedIds,
): Promise<void> {
  applying = applying
    .catch(() => undefined)
    .then(() => applyChanges(from.replicaOf(scope), changed))
  return applying
}

/** React Query's cache and the boot snapshot, as the engine keeps them up to date. */
export const screenCache: ScreenCache = {
  apply: applyToQueries,
  clear: () => {
    queryClient.clear()
    clearBootCache()
  },
}

async function applyChanges(replica: Replica, changed: ChangedIds): Promise<void> {
  for (const query of queryClient
    .getQueryCache()
    .findAll({ queryKey: queryKeyOf(replica.scope) })) {
    const [, , kind, name = '', key = ''] = query.queryKey as string[]
    const { ids, partitions } = changed[name] ?? NO_CHANGES
    if (kind === 'collection' && ids.length > 0) {
      const known = query.state.fetchStatus === 'idle' ? query.state.data : undefined
      await setQuery(query.queryKey, () =>
        known && ids.length <= MAX_SINGLE_READS
          ? mergeRecords(replica, name, known as ReplicaRecord[], ids)
          : replica.collection(name),
      )
    }
    if (kind === 'record' && ids.includes(key))
      await setQuery(query.queryKey, () => replica.record(name, key))
    if (kind === 'partition' && partitions.includes(key))
      await setQuery(query.queryKey, () => replica.partition(name, key))
  }
}

const NO_CHANGES = { ids: [], partitions: [] }

/**
 * Sets what a query shows. A fetch of that query that is under way is given up, not awaited: it read
 * the device before this landed, or waits for the very download that brought it.
 */
async function setQuery(queryKey: QueryKey, read: () => Promise<unknown>): Promise<void> {
  const data = await read()
  if (data === undefined) return
  await queryClient.cancelQueries({ queryKey, exact: true })
  queryClient.setQueryData(queryKey, data)
}

/** The collection with a few records read anew. */
async function mergeRecords(
  replica: Replica,
  name: string,
  records: readonly ReplicaRecord[],
  ids: readonly string[],
): Promise<ReplicaRecord[]> {
  const unread = new Map(
    await Promise.all(ids.map(async (id) => [id, await replica.record(name, id)] as const)),
  )
  const all: ReplicaRecord[] = []
  for (const record of records) {
    const fresh = unread.has(record.id) ? unread.get(record.id) : record
    unread.delete(record.id)
    if (fresh) all.push(fresh)
  }
  for (const record of unread.values()) if (record) all.push(record)
  return all
}

/** Takes a record off this device and its screens that the server has just deleted. */
export async function removeRecord(name: string, id: string): Promise<void> {
  const scope = activeScope()
  const engine = await sync().engine()
  const applied = await engine.replicaOf(scope).apply({ put: {}, deleted: [{ type: name, id }] })
  if (applied) await applyToQueries(engine, scope, applied.changed)
  // What went with it is told by the server.
  void engine.pullScheduler.pull()
}
