// Room for operations on a full device. As little as needed is given up: a reserve first, then replicas,
// whose records the server has.
import type { EngineState, RoomMade } from './observable.ts'
import { StorageFullError, type Key, type Store } from './ports.ts'
import { CURSOR_KEY, EMPTY_CURSOR, sameScope, type Partitions, type Scope } from './replica.ts'
import { readSession } from './session-store.ts'

/** The reserve, and whether it is there, which is cheaper to read. In the store `cache`. */
const RESERVE_KEY = '!reserve-bytes'
const HAS_RESERVE_KEY = '!reserve'
/**
 * Enough for a hundred operations. Chromium stores values above 64 KiB in files of their own: deleting
 * one frees its space at once, deleting smaller values does not.
 */
const RESERVE_BYTES = 256 * 1024

interface StorageRoomOptions {
  ports: { store: Store }
  partitions: Partitions
  state: Pick<EngineState, 'roomMade' | 'downloadState'>
}

/** Views that the user has named: a server without the capability `views` does not have them. */
const isKept = (key: Key) => typeof key !== 'string' && key[2] === '=saved-views'

type Entry = [key: Key, value: unknown]

/** Makes room in the device's storage. All methods reject when storage fails. */
export class StorageRoom {
  readonly #store: Store
  readonly #partitions: Partitions
  readonly #state: StorageRoomOptions['state']
  readonly #activeScope: () => Scope | undefined
  #hasReserve = false

  constructor(
    { ports, partitions, state }: StorageRoomOptions,
    activeScope: () => Scope | undefined,
  ) {
    this.#store = ports.store
    this.#partitions = partitions
    this.#state = state
    this.#activeScope = activeScope
  }

  /**
   * Runs `write`; when there is no room, again after each step that frees some: the reserve, the replicas
   * of other organisations, the partitions of the open one, all of it. Rejects with StorageFullError when
   * nothing helps, and then restores what was deleted.
   */
  async makeRoomFor<T>(write: () => Promise<T>): Promise<T> {
    const first = await attempt(write)
    if (first) return first.value
    const deleted: Entry[] = []
    for (const [made, isFreed] of this.#steps()) {
      const entries = await this.#take(isFreed)
      if (entries.length === 0) continue
      if (made) deleted.push(...entries)
      else this.#hasReserve = false
      const next = await attempt(write).catch(async (error: unknown) => {
        await this.#restore(deleted)
        throw error
      })
      if (!next) continue
      if (made) await this.#publish(made, deleted)
      return next.value
    }
    await this.#restore(deleted)
    throw new StorageFullError('Storage is full.')
  }

  /** Fills the reserve unless it is there. Rejects with StorageFullError when there is no room for it. */
  async fillReserve(): Promise<void> {
    if (this.#hasReserve) return
    await this.#store.transact(['cache'], 'readwrite', async (tx) => {
      if ((await tx.get('cache', HAS_RESERVE_KEY)) !== undefined) return
      tx.put('cache', HAS_RESERVE_KEY, true)
      tx.put('cache', RESERVE_KEY, incompressibleBytes(RESERVE_BYTES))
    })
    this.#hasReserve = true
  }

  /** Deletes all replicas and the log of sent operations; operations, session, drafts and views stay. */
  async evictReplicas(): Promise<void> {
    this.#hasReserve = false
    await this.#store.transact(['cache'], 'readwrite', async (tx) => {
      for (const key of await tx.keys('cache', [])) if (!isKept(key)) tx.delete('cache', key)
    })
  }

  /** What may be freed, in this order; without a name it costs nothing. */
  #steps(): [made: RoomMade | undefined, isFreed: (key: Key) => boolean][] {
    const active = this.#activeScope()
    const isReplica = (key: Key) => typeof key !== 'string' && key[1] !== '' && !isKept(key)
    const isActive = (key: Key) => isReplica(key) && sameScope(active, scopeOf(key))
    return [
      [undefined, (key) => key === RESERVE_KEY || key === HAS_RESERVE_KEY],
      ['other-organisations', (key) => isReplica(key) && !isActive(key)],
      ['partitions', (key) => isActive(key) && (key[2] === CURSOR_KEY || this.#isPartition(key))],
      ['organisation', isActive],
    ]
  }

  #isPartition(key: Key): boolean {
    return this.#partitions[key[2] ?? ''] !== undefined
  }

  /** Deletes entries, in a transaction of its own: only then the next one finds the room. */
  async #take(isFreed: (key: Key) => boolean): Promise<Entry[]> {
    return await this.#store.transact(['cache'], 'readwrite', async (tx) => {
      const keys = (await tx.keys('cache', [])).filter(isFreed)
      const values = await Promise.all(keys.map((key) => tx.get('cache', key)))
      for (const key of keys) tx.delete('cache', key)
      return keys.map((key, index): Entry => [key, values[index]])
    })
  }

  /** Stores deleted entries again, unless their user is signed out or their replica was begun again. */
  async #restore(entries: readonly Entry[]): Promise<void> {
    const work = this.#store.transact(['cache', 'session'], 'readwrite', async (tx) => {
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
  async #publish(made: RoomMade, deleted: readonly Entry[]): Promise<void> {
    const evicted = { ...EMPTY_CURSOR, evicted: true }
    const replicas = new Map(deleted.map(([key]) => [replicaName(key), scopeOf(key)]))
    const work = this.#store.transact(['cache', 'session'], 'readwrite', async (tx) => {
      const { session } = await readSession(tx)
      for (const { user_id, organisation_id } of replicas.values()) {
        const key = [user_id, organisation_id, CURSOR_KEY]
        if (user_id === session?.user.id && (await tx.get('cache', key)) === undefined)
          tx.put('cache', key, evicted)
      }
    })
    await work.catch(() => undefined)
    if (made !== 'other-organisations')
      this.#state.downloadState.set({ phase: 'first', share: null, evicted: true })
    this.#state.roomMade.set({ made })
  }
}

const scopeOf = (key: Key): Scope => ({ user_id: key[0] ?? '', organisation_id: key[1] ?? '' })
const replicaName = (key: Key): string => `${key[0]} ${key[1]}`

/** The result of `write`; undefined when there was no room. Rejects as `write` does otherwise. */
async function attempt<T>(write: () => Promise<T>): Promise<{ value: T } | undefined> {
  try {
    return { value: await write() }
  } catch (error) {
    if (error instanceof StorageFullError) return undefined
    throw error
  }
}

/** By xorshift: browsers compress what they store, and zeros would reserve nothing. */
function incompressibleBytes(size: number): Uint8Array {
  const words = new Uint32Array(size / 4)
  let word = 0x9e3779b9
  for (let index = 0; index < words.length; index += 1) {
    word ^= word << 13
    word ^= word >>> 17
    word ^= word << 5
    words[index] = word
  }
  return new Uint8Array(words.buffer)
}
