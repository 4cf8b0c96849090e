// Plants a bug without touching the shipped code: in a context's ports, or over its methods.
import { upcast, type Operation } from '../../../src/sync/core/operation.ts'
import type { NetworkResponse, Ports, Store, Transaction } from '../../../src/sync/core/ports.ts'

/** Replaces a method by another, which may call the original. */
export function wrap<T extends object, K extends keyof T>(
  target: T,
  name: K,
  make: (original: T[K]) => T[K],
): void {
  const method = target[name] as unknown as (...args: never[]) => unknown
  target[name] = make(method.bind(target) as T[K])
}

/** Replaces a method of all instances. `self` is the one that it was called on. */
export function wrapAll<T extends object, K extends keyof T>(
  prototype: T,
  name: K,
  make: (original: T[K], self: T) => T[K],
): void {
  const original = prototype[name] as unknown as (...args: never[]) => unknown
  const replaced = function (this: T, ...args: never[]): unknown {
    const wrapped = make(original.bind(this) as T[K], this) as unknown as typeof original
    return wrapped(...args)
  }
  prototype[name] = replaced as T[K]
}

/** A store whose transactions have some methods replaced. */
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
