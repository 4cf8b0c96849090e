// Room for operations on a full device. What makes it is loaded when it is needed: on most devices it never is.
import type { EngineState } from '../observable.ts'
import { StorageFullError, type Key, type MakeRoomFor, type Store } from '../ports.ts'
import type { Partitions, Scope } from '../replica.ts'
import { fillReserve } from './reserve.ts'

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
   * nothing helps, and then restores what was deleted. One write after the other: what was made for one may be
   * enough for the next.
   */
  readonly makeRoomFor: MakeRoomFor = async (write) => {
    const { ports, partitions, state } = this.#options
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof StorageFullError)) throw error
      this.#hasReserve = false
      const { evictFor } = await import('./evict.ts').catch(() => {
        throw error
      })
      return await evictFor(write, { ...ports, partitions, state, active: this.#activeScope() })
    }
  }

  /** Fills the reserve unless it is there. Rejects with StorageFullError when there is no room for it. */
  async fillReserve(): Promise<void> {
    if (this.#hasReserve) return
    await fillReserve(this.#options.ports.store)
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
