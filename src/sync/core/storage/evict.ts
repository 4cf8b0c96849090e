// Makes room on a full device: gives up the reserve, and then replicas, whose records the server has. As little as
// needed.
import type { EngineState, RoomMade } from '../observable.ts'
import { StorageFullError, type Key, type Store } from '../ports.ts'
import { CURSOR_KEY, EMPTY_CURSOR, sameScope, type Partitions, type Scope } from '../replica.ts'
import { isPartNote } from '../pull/read-parts.ts'
import { readSession } from '../session-store.ts'
import { HAS_RESERVE_KEY, RESERVE_KEY } from './reserve.ts'
import { isKept } from './room.ts'

interface Replicas {
  store: Store
  partitions: Partitions
  state: Pick<EngineState, 'roomMade' | 'downloadState'>
  /** The open replica. */
  active: Scope | undefined
}

type Entry = [key: Key, value: unknown]

/** The last write of each context that room was made for. */
const lastOf = new WeakMap<Replicas['state'], Promise<unknown>>()

/** See `StorageRoom.makeRoomFor`. To be called when there was no room. */
export async function evictFor<T>(write: () => Promise<T>, replicas: Replicas): Promise<T> {
  const last = lastOf.get(replicas.state) ?? Promise.resolve()
  const made = last.then(() => evict(write, replicas))
  lastOf.set(
    replicas.state,
    made.catch(() => undefined),
  )
  return await made
}

async function evict<T>(write: () => Promise<T>, replicas: Replicas): Promise<T> {
  const { store } = replicas
  await dropReserve(store)
  // Also without one: room may have been made for another write meanwhile.
  const first = await attempt(write)
  if (first) return first.value
  const deleted: Entry[] = []
  for (const [made, isFreed] of stepsOf(replicas)) {
    const entries = await take(store, isFreed)
    if (entries.length === 0) continue
    deleted.push(...entries)
    const next = await attempt(write).catch(async (error: unknown) => {
      await restore(store, deleted)
      throw error
    })
    if (!next) continue
    await publish(replicas, made, deleted)
    return next.value
  }
  await restore(store, deleted)
  throw new StorageFullError('Storage is full.')
}

/** What may be freed, in this order. */
function stepsOf({
  active,
  partitions,
}: Replicas): [made: RoomMade, isFreed: (key: Key) => boolean][] {
  const isReplica = (key: Key) => typeof key !== 'string' && key[1] !== '' && !isKept(key)
  const isActive = (key: Key) => isReplica(key) && sameScope(active, scopeOf(key))
  const isPartition = (key: Key) => partitions[key[2] ?? ''] !== undefined || isPartNote(key)
  return [
    ['other-organisations', (key) => isReplica(key) && !isActive(key)],
    ['partitions', (key) => isActive(key) && (key[2] === CURSOR_KEY || isPartition(key))],
    ['organisation', isActive],
  ]
}

/** Deletes entries, in a transaction of its own: only then the next one finds the room. */
async function take(store: Store, isFreed: (key: Key) => boolean): Promise<Entry[]> {
  return await store.transact(['cache'], 'readwrite', async (tx) => {
    const keys = (await tx.keys('cache', [])).filter(isFreed)
    const values = await Promise.all(keys.map((key) => tx.get('cache', key)))
    for (const key of keys) tx.delete('cache', key)
    return keys.map((key, index): Entry => [key, values[index]])
  })
}

/** Stores deleted entries again, unless their user is signed out or their replica was begun again. */
async function restore(store: Store, entries: readonly Entry[]): Promise<void> {
  const work = store.transact(['cache', 'session'], 'readwrite', async (tx) => {
    const { session } = await readSession(tx)
    const begun = new Set(
      (await tx.keys('cache', [])).filter((key) => key[2] === CURSOR_KEY).map(replicaName),
    )
    for (const [key, value] of entries)
      if (key[0] === session?.user.id && !begun.has(replicaName(key))) tx.put('cache', key, value)
  })
  // Where there is no room for them any more, they are pulled again.
  await work.catch(() => undefined)
}

/** Notes at the cursors that records are missing because room was needed, and publishes it. */
async function publish(
  { store, state }: Replicas,
  made: RoomMade,
  deleted: readonly Entry[],
): Promise<void> {
  const evicted = { ...EMPTY_CURSOR, evicted: true }
  const replicas = new Map(deleted.map(([key]) => [replicaName(key), scopeOf(key)]))
  const work = store.transact(['cache', 'session'], 'readwrite', async (tx) => {
    const { session } = await readSession(tx)
    for (const { user_id, organisation_id } of replicas.values()) {
      const key = [user_id, organisation_id, CURSOR_KEY]
      if (user_id === session?.user.id && (await tx.get('cache', key)) === undefined)
        tx.put('cache', key, evicted)
    }
  })
  await work.catch(() => undefined)
  if (made !== 'other-organisations')
    state.downloadState.set({ phase: 'first', share: null, evicted: true })
  state.roomMade.set({ made })
}

/** Gives up the reserve, in a transaction of its own: only then the next one finds the room. */
const dropReserve = (store: Store): Promise<void> =>
  store.transact(['cache'], 'readwrite', async (tx) => {
    for (const key of [RESERVE_KEY, HAS_RESERVE_KEY]) tx.delete('cache', key)
  })

/** The result of `write`; undefined when there was no room. Rejects as `write` does otherwise. */
async function attempt<T>(write: () => Promise<T>): Promise<{ value: T } | undefined> {
  try {
    return { value: await write() }
  } catch (error) {
    if (error instanceof StorageFullError) return undefined
    throw error
  }
}

/** Runs `write`; when there is no room, again without the reserve. */
export async function withoutReserve<T>(store: Store, write: () => Promise<T>): Promise<T> {
  const first = await attempt(write)
  if (first) return first.value
  await dropReserve(store)
  return await write()
}

const scopeOf = (key: Key): Scope => ({ user_id: key[0] ?? '', organisation_id: key[1] ?? '' })
const replicaName = (key: Key): string => `${key[0]} ${key[1]}`
