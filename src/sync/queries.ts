// Reads as React Query's options: the device answers first, and what lands in the cache is put on
// the screens. An options object is all that a screen needs, to use, prefetch or invalidate.
import { queryOptions, type QueryFunction, type QueryKey } from '@tanstack/react-query'
import type { Cache, CachedRecord, Scope } from './cache.ts'
import { CallError, sync } from './client.ts'
import type { CallInput } from './ports.ts'
import { keyOf } from './query-client.ts'

/** Storage that hangs must not keep a healthy network from answering. Milliseconds. */
const PATIENCE = 400

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

/** Whose records are read, and of which organisation. */
export function activeScope(): Scope {
  const session = sync().session.current()
  const organisation_id = session?.active_organisation?.id
  if (!session || organisation_id === undefined) throw new Error('No organisation is active.')
  return { user_id: session.user.id, organisation_id }
}

/** The device's copy of it. */
export const cacheOf = async (scope: Scope): Promise<Cache> =>
  (await sync().engine()).cacheOf(scope)

/** All records of a collection of the active organisation. */
export function collectionQuery<T>(name: string) {
  const scope = activeScope()
  const read = async () => (await (await cacheOf(scope)).collection(name)) as T[] | undefined
  return queryOptions<T[]>({
    queryKey: keyOf(scope, 'collection', name),
    staleTime: Infinity,
    persister: deviceFirst(read),
    queryFn: async () => {
      await sync().pull()
      const records = await read()
      if (!records) throw NOT_HERE()
      return records
    },
  })
}

/** The records of one partition, the updates of a plan say. */
export function partitionQuery<T>(name: string, partition: string) {
  const scope = activeScope()
  const read = async () =>
    (await (await cacheOf(scope)).partition(name, partition)) as T[] | undefined
  const bring = async () => {
    const engine = await sync().engine()
    return await engine.pullPart(engine.cacheOf(scope), name, partition)
  }
  return queryOptions<T[]>({
    queryKey: keyOf(scope, 'partition', name, partition),
    staleTime: Infinity,
    persister: async (queryFn, context, query) => {
      const isFirst = query.state.data === undefined
      return await knownOr(
        async () => {
          const stored = await read()
          const { listsOnly, reading } = await sync().engine()
          // Until the copy is whole, and without `changes` ever, nothing else would bring what is missing.
          const isPartial = listsOnly || reading.download.get().phase !== 'idle'
          if (stored && isFirst && isPartial) void bring().catch(() => undefined)
          return stored
        },
        () => queryFn(context),
      )
    },
    queryFn: async () => {
      if (!(await bring())) throw NOT_HERE()
      return (await read()) ?? []
    },
  })
}

/** One record of a collection, by the call of that name; null when the server says that there is none. */
export function recordQuery<T>(name: string, id: string, call: string) {
  const scope = activeScope()
  return queryOptions<T | null>({
    queryKey: keyOf(scope, 'record', name, id),
    staleTime: Infinity,
    // Null is no answer of the device: what it does not know may have been made a moment ago.
    persister: deviceFirst<T | null>(
      async () => ((await (await cacheOf(scope)).record(name, id)) ?? undefined) as T | undefined,
    ),
    queryFn: async () => {
      try {
        const record = await sync().callBy(call, { path: { id } })
        const cache = await cacheOf(scope)
        await cache.apply({ put: { [name]: [record as CachedRecord] }, deleted: [] })
        return record as T
      } catch (error) {
        if (error instanceof CallError && error.status === 404) return null
        throw error
      }
    },
  })
}

/**
 * Any other read, by the call of that name; its last answer is kept on the device and refreshed at each
 * use. `organisation_id` is given for what belongs to the active organisation.
 */
export function endpointQuery<A>(call: string, input: CallInput, organisation_id = '') {
  const scope = { user_id: sync().session.current()?.user.id ?? '', organisation_id }
  const name = `${call} ${JSON.stringify(input)}`
  return queryOptions<A>({
    queryKey: keyOf(scope, 'endpoint', name),
    persister: async (queryFn, context, query) => {
      if (query.state.data !== undefined) return await queryFn(context)
      return await knownOr(
        async () => {
          const kept = (await (await cacheOf(scope)).kept(name)) as A | undefined
          // As soon as this one is on the screen, ask the server.
          if (kept !== undefined) setTimeout(() => void query.fetch().catch(() => undefined))
          return kept
        },
        () => queryFn(context),
      )
    },
    queryFn: async () => {
      const answer = (await sync().callBy(call, input)) as A
      await (await cacheOf(scope)).keep(name, answer).catch(() => undefined)
      return answer
    },
  })
}
