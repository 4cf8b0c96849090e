// Reads as React Query's options: the device answers first, and what lands in the cache is put on
// the screens. An options object is all that a screen needs, to use, prefetch or invalidate.
import {
  queryOptions,
  type QueryClient,
  type QueryFunction,
  type QueryKey,
} from '@tanstack/react-query'
import type { Cache, CachedRecord, Scope } from './cache.ts'
import { CallError, sync, type Sync } from './client.ts'
import type { CallInput, Row, Touched } from './ports.ts'

/** Storage that hangs must not keep a healthy network from answering. Milliseconds. */
const PATIENCE = 400
/** More changed records than this are read from the device at once instead of one by one. */
const FEW = 50

const soon = <T>(read: Promise<T>): Promise<T | undefined> =>
  Promise.race([
    read,
    new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE, undefined)),
  ])

/** What the device knows, or else what `ask` brings; a slow device still answers where the network does not. */
async function knownOr<T>(
  read: () => Promise<T | undefined>,
  ask: () => T | Promise<T>,
): Promise<T> {
  const reading = read().catch(() => undefined)
  const known = await soon(reading)
  if (known !== undefined) return known
  try {
    return await ask()
  } catch (error) {
    const late = await reading
    if (late === undefined) throw error
    return late
  }
}

/**
 * A persister (React Query's option): asks the device, and only where it knows nothing the network.
 * The reading of the device is repeated at each fetch: what is new gets there by the download.
 */
const deviceFirst =
  <T>(read: () => Promise<T | undefined>) =>
  async <K extends QueryKey>(
    queryFn: QueryFunction<T, K>,
    context: Parameters<QueryFunction<T, K>>[0],
  ): Promise<T> =>
    await knownOr(read, () => queryFn(context))

const NOT_HERE = () => new CallError('unreachable')

function activeCache(): Cache {
  const cache = sync().engine.cache()
  if (!cache) throw new Error('No organisation is active.')
  return cache
}

const keyOf = ({ user_id, organisation_id }: Scope, ...rest: string[]) => [
  user_id,
  organisation_id,
  ...rest,
]

/** All records of a collection of the active organisation. */
export function collectionQuery<T>(name: string) {
  const cache = activeCache()
  const read = async () => (await cache.collection(name)) as T[] | undefined
  return queryOptions<T[]>({
    queryKey: keyOf(cache.scope, 'collection', name),
    staleTime: Infinity,
    persister: deviceFirst(read),
    queryFn: async () => {
      await sync().engine.pull()
      const records = await read()
      if (!records) throw NOT_HERE()
      return records
    },
  })
}

/** The records of one partition, the updates of a plan say. */
export function partitionQuery<T>(name: string, partition: string) {
  const { engine } = sync()
  const cache = activeCache()
  const read = async () => (await cache.partition(name, partition)) as T[] | undefined
  return queryOptions<T[]>({
    queryKey: keyOf(cache.scope, 'partition', name, partition),
    staleTime: Infinity,
    persister: async (queryFn, context, query) => {
      const isFirst = query.state.data === undefined
      return await knownOr(
        async () => {
          const stored = await read()
          // Without `changes` nothing else would bring what is new.
          if (stored && isFirst && engine.listsOnly)
            void engine.pullPart(cache, name, partition).catch(() => undefined)
          return stored
        },
        () => queryFn(context),
      )
    },
    queryFn: async () => {
      const brought = await engine.pullPart(cache, name, partition)
      if (!brought) throw NOT_HERE()
      return (await read()) ?? []
    },
  })
}

/** One record of a collection; null when the server says that there is none. */
export function recordQuery<T>(
  name: string,
  id: string,
  row: Row<{ path: { id: string } }, unknown>,
) {
  const cache = activeCache()
  return queryOptions<T | null>({
    queryKey: keyOf(cache.scope, 'record', name, id),
    staleTime: Infinity,
    // Null is no answer of the device: what it does not know may have been made a moment ago.
    persister: deviceFirst<T | null>(
      async () => ((await cache.record(name, id)) ?? undefined) as T | undefined,
    ),
    queryFn: async () => {
      try {
        const record = await sync().call(row, { path: { id } })
        await cache.apply({ put: { [name]: [record as CachedRecord] }, deleted: [] })
        return record as T
      } catch (error) {
        if (error instanceof CallError && error.status === 404) return null
        throw error
      }
    },
  })
}

/** Any other read; its last answer is kept on the device and refreshed at each use. */
export function endpointQuery<I extends CallInput, A>(row: Row<I, A>, input: I) {
  const { engine, nameOf } = sync()
  const user_id = sync().session.current()?.user.id ?? ''
  const name = `${nameOf(row)} ${JSON.stringify(input)}`
  const cache = engine.cacheOf({ user_id, organisation_id: '' })
  const queryKey = keyOf(cache.scope, 'endpoint', name)
  return queryOptions<A>({
    queryKey,
    persister: async (queryFn, context, query) => {
      if (query.state.data !== undefined) return await queryFn(context)
      return await knownOr(
        async () => {
          const kept = (await cache.kept(name)) as A | undefined
          // As soon as this one is on the screen, ask the server.
          if (kept !== undefined) setTimeout(() => void query.fetch().catch(() => undefined))
          return kept
        },
        () => queryFn(context),
      )
    },
    queryFn: async () => {
      const answer = await sync().call(row, input)
      await cache.keep(name, answer).catch(() => undefined)
      return answer
    },
  })
}

let landing: Promise<void> = Promise.resolve()

/**
 * Brings what landed on the device to the screens that show it; resolves when it is there. One
 * landing after the other, or a slow one could put back what a later one has replaced.
 */
export function putOnScreens(to: Sync, scope: Scope, touched: Touched): Promise<void> {
  landing = landing.catch(() => undefined).then(() => land(to, scope, touched))
  return landing
}

async function land({ queries, engine }: Sync, scope: Scope, touched: Touched): Promise<void> {
  const cache = engine.cacheOf(scope)
  for (const query of queries.getQueryCache().findAll({ queryKey: keyOf(scope) })) {
    const [, , kind, name = '', key = ''] = query.queryKey as string[]
    const { ids, partitions } = touched[name] ?? NOTHING
    if (kind === 'collection' && ids.length > 0) {
      const known = query.state.fetchStatus === 'idle' ? query.state.data : undefined
      await show(queries, query.queryKey, () =>
        known && ids.length <= FEW
          ? merged(cache, name, known as CachedRecord[], ids)
          : cache.collection(name),
      )
    }
    if (kind === 'record' && ids.includes(key))
      await show(queries, query.queryKey, () => cache.record(name, key))
    if (kind === 'partition' && partitions.includes(key))
      await show(queries, query.queryKey, () => cache.partition(name, key))
  }
}

const NOTHING = { ids: [], partitions: [] }

/**
 * Sets what a query shows. A fetch of that query that is under way is given up, not awaited: it read
 * the device before this landed, or waits for the very download that brought it.
 */
async function show(
  queries: QueryClient,
  queryKey: QueryKey,
  read: () => Promise<unknown>,
): Promise<void> {
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
