// Room for operations on a full device: replicas are deleted, as the server has their records.
import { StorageFullError, type Store } from './ports.ts'

/** Makes room in the device's storage. All methods reject when storage fails. */
export class StorageRoom {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /**
   * Runs `write`, and once more without replicas when there is no room. Rejects with StorageFullError when
   * that does not help.
   */
  async makeRoomFor<T>(write: () => Promise<T>): Promise<T> {
    return await write().catch(async (error: unknown) => {
      if (!(error instanceof StorageFullError)) throw error
      await this.evictReplicas()
      return await write()
    })
  }

  /** Deletes all replicas and the log of sent operations; operations, session and drafts stay. */
  async evictReplicas(): Promise<void> {
    await this.#store.transact(['cache'], 'readwrite', async (tx) => tx.deleteAll('cache', []))
  }
}
