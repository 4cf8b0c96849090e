// What lands on the device is put on the screens that show it.
import type { QueryKey } from '@tanstack/react-query'
import type { Cache, CachedRecord, Scope } from './cache.ts'
import { sync } from './client.ts'
import type { Engine } from './engine.ts'
import type { Touched } from './ports.ts'
import { activeScope } from './queries.ts'
import { keyOf, queries } from './query-client.ts'

/** More changed records than this are read from the device at once instead of one by one. */
const FEW = 50

let landing: Promise<void> = Promise.resolve()

/**
 * Brings what landed on the device to the screens that show it; resolves when it is there. One
 * landing after the other, or a slow one could put back what a later one has replaced.
 */
export function putOnScreens(
  from: Pick<Engine, 'cacheOf'>,
  scope: Scope,
  touched: Touched,
): Promise<void> {
  landing = landing.catch(() => undefined).then(() => land(from.cacheOf(scope), touched))
  return landing
}

async function land(cache: Cache, touched: Touched): Promise<void> {
  for (const query of queries.getQueryCache().findAll({ queryKey: keyOf(cache.scope) })) {
    const [, , kind, name = '', key = ''] = query.queryKey as string[]
    const { ids, partitions } = touched[name] ?? NOTHING
    if (kind === 'collection' && ids.length > 0) {
      const known = query.state.fetchStatus === 'idle' ? query.state.data : undefined
      await show(query.queryKey, () =>
        known && ids.length <= FEW
          ? merged(cache, name, known as CachedRecord[], ids)
          : cache.collection(name),
      )
    }
    if (kind === 'record' && ids.includes(key))
      await show(query.queryKey, () => cache.record(name, key))
    if (kind === 'partition' && partitions.includes(key))
      await show(query.queryKey, () => cache.partition(name, key))
  }
}

const NOTHING = { ids: [], partitions: [] }

/**
 * Sets what a query shows. A fetch of that query that is under way is given up, not awaited: it read
 * the device before this landed, or waits for the very download that brought it.
 */
async function show(queryKey: QueryKey, read: () => Promise<unknown>): Promise<void> {
  const data = await read()
  if (data === undefined) return
  await queries.cancelQueries({ queryKey, exact: true })
  queries.setQueryData(queryKey, data)
}

/** The collection with a few records read anew. */
async function merged(
  cache: Cache,
  name: string,
  records: readonly CachedRecord[],
  ids: readonly string[],
): Promise<CachedRecord[]> {
  const rest = new Map(
    await Promise.all(ids.map(async (id) => [id, await cache.record(name, id)] as const)),
  )
  const all: CachedRecord[] = []
  for (const record of records) {
    const fresh = rest.has(record.id) ? rest.get(record.id) : record
    rest.delete(record.id)
    if (fresh) all.push(fresh)
  }
  for (const record of rest.values()) if (record) all.push(record)
  return all
}

/** Takes a record off this device and its screens that the server has just deleted. */
export async function forgetRecord(name: string, id: string): Promise<void> {
  const scope = activeScope()
  const engine = await sync().engine()
  const touched = await engine.cacheOf(scope).apply({ put: {}, deleted: [{ type: name, id }] })
  if (touched) await putOnScreens(engine, scope, touched)
  // What went with it is told by the server.
  void engine.pull()
}
