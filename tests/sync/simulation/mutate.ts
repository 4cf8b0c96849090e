// How a bug is planted without touching what ships: in what a context is given, or over its methods.
import { upcast, type Operation } from '../../../src/sync/core/operation.ts'
import type { NetworkResponse, Ports, Store, Transaction } from '../../../src/sync/core/ports.ts'

/** Puts a method in the place of another, which it may still call. */
export function wrap<T extends object, K extends keyof T>(
  target: T,
  name: K,
  make: (original: T[K]) => T[K],
): void {
  const method = target[name] as unknown as (...args: never[]) => unknown
  target[name] = make(method.bind(target) as T[K])
}

/** A store in whose transactions something else is done. */
export const inTransactions = (
  store: Store,
  change: (tx: Transaction) => Partial<Transaction>,
): Store => ({
  transact: (tables, mode, work) =>
    store.transact(tables, mode, (tx) => work({ ...tx, ...change(tx) })),
})

export const removing = (ports: Ports, ids: (operation: Operation) => boolean) =>
  ports.store.transact(['operations'], 'strict', async (tx) => {
    for (const operation of (await tx.all('operations', [])).map(upcast))
      if (operation && ids(operation)) tx.delete('operations', operation.id)
  })

export const jsonAnswer = (status: number, body: unknown): NetworkResponse => ({
  status,
  header: (name) => (name === 'content-type' ? 'application/json' : null),
  text: JSON.stringify(body),
})
