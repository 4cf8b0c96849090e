// Reads as React Query's options: the device answers first, and what lands in the cache is put on
// the screens. An options object is all that a screen needs, to use, prefetch or invalidate.
import { queryOptions, type QueryFunction, type QueryKey } from '@tanstack/react-query'
import type { Replica, ReplicaRecord, Scope } from '../core/replica.ts'
import { CallError, sync } from '../client.ts'
import type { CallInput } from '../core/ports.ts'
import { queryKeyOf } from './query-client.ts'

/** Storage that hangs must not keep a healthy network from answering. Milliseconds. */
const STORAGE_TIMEOUT_MS = 400

const withTimeout = <T>(read: Promise<T>): Promise<T | undefined> =>
  Promise.race([
    read,
    new Promise<undefined>((resolve) => setTimeout(resolve, STORAGE_TIMEOUT_MS, undefined)),
  ])

/** What the device knows, or else what `ask` brings; a slow device still answers where the network does not. */
async function storedOr<T>(
  read: () => Promise<T | undefined>,
  fetchRemote: () => T | Promise<T>,
): Promise<T> {
  const reading = read().catch(() => undefined)
  const known = await withTimeout(reading)
  if (known !== undefined) return known
  try {
    return await fetchRemote()
  } catch (error) {
    const lateResult = await reading
    if (lateResult === undefined) throw error
    return lateResult
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
    await storedOr(read, () => queryFn(context))

const notAvailable = () => new CallError('unreachable')

/** Whose records are read, and of which organisation. */
export function activeScope(): Scope {
  const session = sync().session.current()
  const organisation_id = session?.active_organisation?.id
  if (!session || organisation_id === undefined) throw new Error('No organisation is active.')
  return { user_id: session.user.id, organisation_id }
}

/** The device's copy of it. */
export const replicaOf = async (scope: Scope): Promise<Replica> =>
  (await sync().engine()).replicaOf(scope)

/** All records of a collection of the active organisation. */
export function collectionQuery<T>(name: string) {
  const scope = activeScope()
  const read = async () => (await (await replicaOf(scope)).collection(name)) as T[] | undefined
  return queryOptions<T[]>({
    queryKey: queryKeyOf(scope, 'collection', name),
    staleTime: Infinity,
    persister: deviceFirst(read),
    queryFn: async () => {
      await sync().pull()
      const records = await read()
      if (!records) throw notAvailable()
      return records
    },
  })
}

/** The records of one partition, the updates of a plan say. */
export function partitionQuery<T>(name: string, partition: string) {
  const scope = activeScope()
  const read = async () =>
    (await (await replicaOf(scope)).partition(name, partition)) as T[] | undefined
  const pullPartition = async () => {
    const engine = await sync().engine()
    return await engine.pullScheduler.pullPartition(engine.replicaOf(scope), name, partition)
  }
  return queryOptions<T[]>({
    queryKey: queryKeyOf(scope, 'partition', name, partition),
    staleTime: Infinity,
    persister: async (queryFn, context, query) => {
      const isFirst = query.state.data === undefined
      return await storedOr(
        async () => {
          const stored = await read()
          const { puller, state } = await sync().engine()
          // Until the copy is whole, and without `changes` ever, nothing else would bring what is missing.
          const isPartial = puller.usesLists || state.downloadState.get().phase !== 'idle'
          if (stored && isFirst && isPartial) void pullPartition().catch(() => undefined)
          return stored
        },
        () => queryFn(context),
      )
    },
    queryFn: async () => {
      if (!(await pullPartition())) throw notAvailable()
      return (await read()) ?? []
    },
  })
}

/** One record of a collection, by the call of that name; null when the server says that there is none. */
export function recordQuery<T>(name: string, id: string, call: string) {
  const scope = activeScope()
  return queryOptions<T | null>({
    queryKey: queryKeyOf(scope, 'record', name, id),
    staleTime: Infinity,
    // Null is no answer of the device: what it does not know may have been made a moment ago.
    persister: deviceFirst<T | null>(
      async () => ((await (await replicaOf(scope)).record(name, id)) ?? undefined) as T | undefined,
    ),
    queryFn: async () => {
      try {
        const record = await sync().callByName(call, { path: { id } })
        const replica = await replicaOf(scope)
        await replica.apply({ put: { [name]: [record as ReplicaRecord] }, deleted: [] })
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
    queryKey: queryKeyOf(scope, 'endpoint', name),
    persister: async (queryFn, context, query) => {
      if (query.state.data !== undefined) return await queryFn(context)
      return await storedOr(
        async () => {
          const stored = (await (await replicaOf(scope)).getValue(name)) as A | undefined
          // As soon as this one is on the screen, ask the server.
          if (stored !== undefined) setTimeout(() => void query.fetch().catch(() => undefined))
          return stored
        },
        () => queryFn(context),
      )
    },
    queryFn: async () => {
      const answer = (await sync().callByName(call, input)) as A
      await (await replicaOf(scope)).setValue(name, answer).catch(() => undefined)
      return answer
    },
  })
}
