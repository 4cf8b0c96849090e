// Brings changes of a replica to the queries that the screens show.
import type { QueryKey } from '@tanstack/react-query'
import type { ScreenCache } from '../browser/start-engine.ts'
import { sync } from '../client.ts'
import type { Engine } from '../core/engine.ts'
import type { ChangedIds } from '../core/ports.ts'
import type { OpenView } from '../core/pull/open-polling.ts'
import {
  newerOf,
  type ChangedRecords,
  type Replica,
  type ReplicaRecord,
  type Scope,
} from '../core/replica.ts'
import { clearBootCache } from './boot-cache.ts'
import { queryKeyOf, queryClient } from './query-client.ts'
import { activeScope } from './query-options.ts'

/** Up to this many changed records are read one by one, more as a whole collection. */
const MAX_SINGLE_READS = 50

let applying: Promise<void> = Promise.resolve()

/**
 * Brings changed records to the queries of that user and organisation; resolves when they show them.
 * `records` are the changed records as this tab stored them, so that nothing is read again; without
 * them, as after a change by another tab, they are read from the replica. One call after the other, or
 * a slow one could replace newer data. Rejects when storage fails.
 */
export function applyToQueries(
  engine: Pick<Engine, 'replicaOf'>,
  scope: Scope,
  changed: ChangedIds,
  records?: ChangedRecords,
): Promise<void> {
  applying = applying
    .catch(() => undefined)
    .then(() => applyChanges(engine.replicaOf(scope), changed, records))
  return applying
}

/** React Query's cache and the boot snapshot, as the engine keeps them up to date. */
export const screenCache: ScreenCache = {
  apply: applyToQueries,
  openViews,
  clear: () => {
    queryClient.clear()
    clearBootCache()
  },
}

async function applyChanges(
  replica: Replica,
  changed: ChangedIds,
  records: ChangedRecords | undefined,
): Promise<void> {
  for (const query of queryClient
    .getQueryCache()
    .findAll({ queryKey: queryKeyOf(replica.scope) })) {
    const [, , kind, name = '', key = ''] = query.queryKey as string[]
    const { ids, partitions } = changed[name] ?? NO_CHANGES
    if (kind === 'collection' && ids.length > 0) {
      const shown = query.state.fetchStatus === 'idle' ? query.state.data : undefined
      await setQuery(query.queryKey, async () => {
        if (!shown || (!records && ids.length > MAX_SINGLE_READS)) return replica.collection(name)
        const stored = records?.[name]
        return stored
          ? // Another tab's newer version may be shown already.
            mergeRecords(shown as ReplicaRecord[], stored, newerOf)
          : mergeRecords(shown as ReplicaRecord[], await readRecords(replica, name, ids))
      })
    }
    if (kind === 'record' && ids.includes(key))
      await setQuery(query.queryKey, () => replica.record(name, key))
    if (kind === 'partition' && partitions.includes(key))
      await setQuery(query.queryKey, () => replica.partition(name, key))
  }
}

const NO_CHANGES = { ids: [], partitions: [] }

/**
 * Sets the data of a query unless `read` resolves to undefined. A running fetch of the query is
 * cancelled: it read the replica before the change, or waits for the very pull that brought the change.
 */
async function setQuery(queryKey: QueryKey, read: () => Promise<unknown>): Promise<void> {
  const data = await read()
  if (data === undefined) return
  await queryClient.cancelQueries({ queryKey, exact: true })
  queryClient.setQueryData(queryKey, data)
}

/** What the screens of an organisation show now. */
function openViews(scope: Scope): OpenView[] {
  return queryClient
    .getQueryCache()
    .findAll({ queryKey: queryKeyOf(scope), type: 'active' })
    .map(({ queryKey }) => queryKey as string[])
    .map(([, , kind = '', name = '', key = '']) => ({ kind: kind as OpenView['kind'], name, key }))
    .filter(({ kind }) => ['collection', 'partition', 'record'].includes(kind))
}

/** The stored records of those ids; null or undefined where there is none. */
async function readRecords(
  replica: Replica,
  name: string,
  ids: readonly string[],
): Promise<Map<string, ReplicaRecord | null | undefined>> {
  return new Map(
    await Promise.all(ids.map(async (id) => [id, await replica.record(name, id)] as const)),
  )
}

/**
 * `shown` with the changed records replaced, removed or appended. `choose` picks one of two versions.
 */
function mergeRecords(
  shown: readonly ReplicaRecord[],
  changed: ReadonlyMap<string, ReplicaRecord | null | undefined>,
  choose = (_shown: ReplicaRecord, fresh: ReplicaRecord) => fresh,
): ReplicaRecord[] {
  const added = new Map(changed)
  const merged: ReplicaRecord[] = []
  for (const record of shown) {
    const fresh = added.get(record.id)
    if (!added.delete(record.id)) merged.push(record)
    else if (fresh) merged.push(choose(record, fresh))
  }
  for (const record of added.values()) if (record) merged.push(record)
  return merged
}

/** Removes a record that the server has just deleted from this device and its screens. */
export async function removeRecord(name: string, id: string): Promise<void> {
  const scope = activeScope()
  const engine = await sync().engine()
  const applied = await engine.replicaOf(scope).apply({ put: {}, deleted: [{ type: name, id }] })
  if (applied) await applyToQueries(engine, scope, applied.changed, applied.records)
  // The pull brings what the server deleted with it.
  void engine.pullScheduler.pull()
}
