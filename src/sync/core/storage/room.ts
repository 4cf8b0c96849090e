// Room for operations on a full device. A reserve is given up first. Giving up replicas is loaded when that is not
// enough, as most devices never need it.
import type { EngineState } from '../observable.ts'
import { StorageFullError, type Key, type Store } from '../ports.ts'
import type { Partitions, Scope } from '../replica.ts'

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

/** Makes room in the device's storage. All methods reject when storage fails. */
export class StorageRoom {
  readonly #options: StorageRoomOptions
  readonly #activeScope: () => Scope | undefined
  #hasReserve = false

  constructor(options: StorageRoomOptions, activeScope: () => Scope | undefined) {
    this.#options = options
    this.#activeScope = activeScope
  }

  /**
   * Runs `write`; when there is no room, again after each step that frees some: the reserve, the replicas
   * of other organisations, the partitions of the open one, all of it. Rejects with StorageFullError when
   * nothing helps, and then restores what was deleted.
   */
  async makeRoomFor<T>(write: () => Promise<T>): Promise<T> {
    const { ports, partitions, state } = this.#options
    const first = await attempt(write)
    if (first) return first.value
    this.#hasReserve = false
    const second = (await dropReserve(ports.store)) ? await attempt(write) : undefined
    if (second) return second.value
    // Of a build that is not on the device any more it cannot be loaded without a network.
    const loaded = await import('./evict.ts').catch(() => undefined)
    if (!loaded) throw new StorageFullError('Storage is full.')
    return await loaded.evictFor(write, {
      ...ports,
      partitions,
      state,
      active: this.#activeScope(),
    })
  }

  /** Fills the reserve unless it is there. Rejects with StorageFullError when there is no room for it. */
  async fillReserve(): Promise<void> {
    if (this.#hasReserve) return
    await this.#options.ports.store.transact(['cache'], 'readwrite', async (tx) => {
      if ((await tx.get('cache', HAS_RESERVE_KEY)) !== undefined) return
      tx.put('cache', HAS_RESERVE_KEY, true)
      tx.put('cache', RESERVE_KEY, incompressibleBytes(RESERVE_BYTES))
    })
    this.#hasReserve = true
  }

  /** Deletes all replicas and the log of sent operations; operations, session, drafts and views stay. */
  async evictReplicas(): Promise<void> {
    this.#hasReserve = false
    await this.#options.ports.store.transact(['cache'], 'readwrite', async (tx) => {
      for (const key of await tx.keys('cache', [])) if (!isKept(key)) tx.delete('cache', key)
    })
  }
}

/** Views that the user has named: a server without the capability `views` does not have them. */
export const isKept = (key: Key): boolean => typeof key !== 'string' && key[2] === '=saved-views'

/** Gives up the reserve, in a transaction of its own: only then the next one finds the room. False without one. */
const dropReserve = (store: Store): Promise<boolean> =>
  store.transact(['cache'], 'readwrite', async (tx) => {
    const isThere = (await tx.get('cache', HAS_RESERVE_KEY)) !== undefined
    for (const key of [RESERVE_KEY, HAS_RESERVE_KEY]) tx.delete('cache', key)
    return isThere
  })

/** The result of `write`; undefined when there was no room. Rejects as `write` does otherwise. */
export async function attempt<T>(write: () => Promise<T>): Promise<{ value: T } | undefined> {
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
