// Queries as React Query options. The replica answers first; `apply-changes.ts` updates them when it
// changes.
import { queryOptions, type QueryFunction, type QueryKey } from '@tanstack/react-query'
import type { Replica, ReplicaRecord, Scope } from '../core/replica.ts'
import { CallError, sync } from '../client.ts'
import type { CallInput } from '../core/ports.ts'
import { queryKeyOf } from './query-client.ts'

/** Slower storage does not delay a request any longer. */
const STORAGE_TIMEOUT_MS = 400

const withTimeout = <T>(read: Promise<T>): Promise<T | undefined> =>
  Promise.race([
    read,
    new Promise<undefined>((resolve) => setTimeout(resolve, STORAGE_TIMEOUT_MS, undefined)),
  ])

/**
 * What `read` finds on the device in time, else the result of `fetchRemote` or a late result of `read`, whichever comes
 * first. Rejects when there is neither.
 */
async function storedOr<T>(
  read: () => Promise<T | undefined>,
  fetchRemote: () => T | Promise<T>,
): Promise<T> {
  const reading = read().catch(() => undefined)
  const known = await withTimeout(reading)
  if (known !== undefined) return known
  const late = reading.then((value) => {
    if (value === undefined) throw notAvailable()
    return value
  })
  // If both reject, the remote one says why.
  const remote = (async () => await fetchRemote())()
  return await Promise.any([remote, late]).catch((error: AggregateError) => {
    throw error.errors[0]
  })
}

/**
 * A persister (React Query's option) that reads the device at each fetch, and the network only where
 * the device has nothing: newer records are brought to the device by pulls.
 */
const deviceFirst =
  <T>(read: () => Promise<T | undefined>) =>
  async <K extends QueryKey>(
    queryFn: QueryFunction<T, K>,
    context: Parameters<QueryFunction<T, K>>[0],
  ): Promise<T> =>
    await storedOr(read, () => queryFn(context))

const notAvailable = () => new CallError('unreachable')

/** The signed-in user and the active organisation. Throws without an active organisation. */
export function activeScope(): Scope {
  const session = sync().session.current()
  const organisation_id = session?.active_organisation?.id
  if (!session || organisation_id === undefined) throw new Error('No organisation is active.')
  return { user_id: session.user.id, organisation_id }
}

/** The replica of that scope. Rejects when the engine cannot be loaded. */
export const replicaOf = async (scope: Scope): Promise<Replica> =>
  (await sync().engine()).replicaOf(scope)

/**
 * All records of a collection of the active organisation. Fails with a CallError when they are
 * unavailable.
 */
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

/** The records of one partition, for example the updates of a plan. Fails with a CallError as above. */
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
          // An incomplete replica, or a server without `changes`: no other pull brings the partition.
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

/**
 * One record of a collection, else requested by the named call; null when the server has none (404).
 */
export function recordQuery<T>(name: string, id: string, call: string) {
  const scope = activeScope()
  return queryOptions<T | null>({
    queryKey: queryKeyOf(scope, 'record', name, id),
    staleTime: Infinity,
    // The replica's null is not used: the record may have been created after the last pull.
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

/** Suffix of an answer's name: under it is the time at which it was stored, in epoch milliseconds. */
const TIME = ' at'

/** Stores the answer of a read, with the time. Rejects when storage fails. */
export async function storeAnswer(scope: Scope, name: string, answer: unknown): Promise<void> {
  const replica = await replicaOf(scope)
  await replica.setValue(name, answer)
  await replica.setValue(name + TIME, Date.now())
}

/** A list, or another answer, which has none of these. */
interface Pages {
  data?: { id: string }[]
  meta?: { last_page: number } | null
  total?: number
  next?: Record<string, unknown> | null
}

/**
 * The answer of a read; a list with all pages that it announces, as a server may have smaller ones than asked for. One
 * that fails ends the list, unless more of it is `stored`.
 */
async function readWhole(
  call: string,
  input: CallInput,
  stored: () => Promise<unknown>,
): Promise<unknown> {
  const first = (await sync().callByName(call, input)) as Pages
  const all = new Map(first.data?.map((one) => [one.id, one]))
  const { meta, total = 0 } = first
  const isMissing = (page: number) => page <= (meta?.last_page ?? 1) || all.size < total
  let { next } = first
  for (let page = 2; next === undefined ? isMissing(page) : next; page += 1) {
    const query = { ...input.query, ...(next ?? { page }) }
    const known = all.size
    const more = (await sync()
      .callByName(call, { ...input, query })
      .catch(async (error: unknown) => {
        const before = (await stored().catch(() => undefined)) as Pages | undefined
        if ((before?.data?.length ?? 0) > all.size) throw error
        return {}
      })) as Pages
    for (const one of more.data ?? []) all.set(one.id, one)
    if (all.size === known) break
    next = more.next
  }
  return all.size > (first.data?.length ?? 0) ? { ...first, data: [...all.values()] } : first
}

/**
 * Any other read, by the name of its call. The last response is stored on the device, shown first and
 * refreshed at each use. `organisation_id` for data of the active organisation; empty for data of the
 * user.
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
          const replica = await replicaOf(scope)
          const stored = (await replica.getValue(name)) as A | undefined
          // An earlier build stored no time.
          const dataUpdatedAt = ((await replica.getValue(name + TIME)) ?? 0) as number
          // Refresh after the stored response is shown, which is as old as it was.
          if (stored !== undefined)
            setTimeout(() => {
              query.setState({ dataUpdatedAt })
              void query.fetch().catch(() => undefined)
            })
          return stored
        },
        () => queryFn(context),
      )
    },
    queryFn: async () => {
      const stored = async () => await (await replicaOf(scope)).getValue(name)
      const answer = (await readWhole(call, input, stored)) as A
      await storeAnswer(scope, name, answer).catch(() => undefined)
      return answer
    },
  })
}
