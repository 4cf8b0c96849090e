// A device that has no room for one table of its database.
import { IDBObjectStore } from 'fake-indexeddb'
import { vi } from 'vitest'
import type { StoreName } from '../../../src/sync/core/ports.ts'

type Put = IDBObjectStore['put']

/** Makes each put into the table fail while `isFull`, until mocks are restored. */
export function fillTable(table: StoreName, isFull: () => boolean): void {
  const put: Put = Reflect.get(IDBObjectStore.prototype, 'put')
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function full(
    this: IDBObjectStore,
    ...args: Parameters<Put>
  ) {
    if (this.name === table && isFull()) throw new DOMException('Full.', 'QuotaExceededError')
    return put.apply(this, args)
  })
}
