// The database of the simulated device: atomic transactions with the order and isolation of IndexedDB,
// cloned values, a commit as a separate step, and a disk that a power cut resets to its last flush.
import {
  StorageFullError,
  type Key,
  type Store,
  type StoreName,
  type Transaction,
} from '../../../src/sync/core/ports.ts'
import type { SimulatedProcess, SimulatedEnvironment } from './simulated-environment.ts'

type Mode = 'readonly' | 'readwrite' | 'strict'
interface Row {
  key: Key
  value: unknown
}
type Rows = Map<string, Row>

/** What one transaction changed: the new value of each key; undefined means deleted. */
export interface Change {
  table: StoreName
  key: Key
  before: unknown
  after: unknown
}

interface Running {
  owner: SimulatedProcess
  tables: readonly StoreName[]
  mode: Mode
  start: () => void
  /** Set when the work is done and only the commit is missing. */
  commit?: () => void
}

/** Probabilities of faults, from 0 to 1. */
export interface StorageFaults {
  aborts: number
  full: boolean
  /** The browser has closed the database while the app was running. */
  closed: boolean
}

const nameOf = (key: Key) => (typeof key === 'string' ? `a${key}` : `b${key.join('\0')}`)
const isUnder = (key: Key, prefix: string[]) =>
  prefix.length === 0 || (Array.isArray(key) && prefix.every((part, index) => key[index] === part))

/** A copy as the structured clone makes it; throws for anything but plain data. */
export function copy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'function') throw new Error('A function cannot be cloned.')
    return value
  }
  if (Array.isArray(value)) return value.map(copy) as T
  const copied: Record<string, unknown> = {}
  for (const name in value) copied[name] = copy(value[name])
  return copied as T
}

export class SimulatedStorage {
  readonly faults: StorageFaults = { aborts: 0, full: false, closed: false }
  readonly #world: SimulatedEnvironment
  readonly #rows: Record<StoreName, Rows> = {
    operations: new Map(),
    session: new Map(),
    cache: new Map(),
    drafts: new Map(),
  }
  readonly #committed: (owner: SimulatedProcess, changes: readonly Change[]) => void
  #running: Running[] = []
  #waiting: Running[] = []
  /** Committed and not yet flushed, oldest first. */
  #unflushed: Change[][] = []

  /** `committed` is called at each commit. */
  constructor(
    world: SimulatedEnvironment,
    committed: (owner: SimulatedProcess, changes: readonly Change[]) => void,
  ) {
    this.#world = world
    this.#committed = committed
  }

  /** The stored values of that table. */
  values(table: StoreName): unknown[] {
    return [...this.#rows[table].values()].map(({ value }) => value)
  }

  keys(table: StoreName): Key[] {
    return [...this.#rows[table].values()].map(({ key }) => key)
  }

  /** Stores a value as another build would have left it. */
  putForeign(table: StoreName, key: Key, value: unknown): void {
    this.#set(table, key, value)
  }

  /** The port of one context. */
  of(owner: SimulatedProcess): Store {
    let begun = 0
    return {
      transact: (tables, mode, work) =>
        new Promise((resolve, reject) => {
          const { rng: chance } = this.#world
          // Transactions of one context start in the order in which they were requested.
          const delay = Math.max(begun - this.#world.now, chance.withProbability(0.05) ? 40 : 0.2)
          begun = this.#world.now + delay + 0.001
          const running: Running = {
            owner,
            tables,
            mode,
            start: () => this.#run(running, work, resolve, reject),
          }
          this.#world.schedule(delay, () => this.#begin(running), owner)
        }),
    }
  }

  #begin(running: Running): void {
    if ([...this.#running, ...this.#waiting].some((other) => conflict(running, other))) {
      this.#waiting.push(running)
      return
    }
    this.#running.push(running)
    running.start()
  }

  #run<T>(
    running: Running,
    work: (tx: Transaction) => Promise<T>,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ): void {
    const { rng: chance } = this.#world
    const writes = new Map<string, Change>()
    const handle = this.#handle(running, writes)
    const end = (complete: () => void) => {
      this.#running = this.#running.filter((other) => other !== running)
      const tell = chance.withProbability(0.05) ? 60 : 0.2
      this.#world.schedule(tell, complete, running.owner)
      this.#startWaiting()
    }
    const broken =
      running.mode === 'readonly'
        ? chance.withProbability(this.faults.aborts / 4) && new Error('The read failed.')
        : this.#failureOf(chance.withProbability(this.faults.aborts))
    work(handle).then(
      (value) => {
        running.commit = () => {
          const grows = [...writes.values()].some(({ after }) => after !== undefined)
          if (this.faults.closed) return end(() => reject(new Error('The database is closed.')))
          if (broken && (running.mode === 'readonly' || grows)) return end(() => reject(broken))
          this.#apply(running, [...writes.values()])
          end(() => resolve(value))
        }
        // The browser commits even when the page has been frozen.
        const { owner, commit } = running
        this.#world.schedule(chance.numberBetween(0.1, 3), () => {
          if (owner.state !== 'dead') commit()
        })
      },
      (error: unknown) => end(() => reject(error)),
    )
  }

  #failureOf(aborts: boolean): Error | undefined {
    if (this.faults.full) return new StorageFullError('Storage is full.')
    return aborts ? new Error('The transaction was aborted.') : undefined
  }

  #handle(running: Running, writes: Map<string, Change>): Transaction {
    const turn = this.#world.steps
    const rowsOf = (table: StoreName): Rows => {
      if (this.#world.steps !== turn) throw new Error('The transaction is not active any more.')
      if (!running.tables.includes(table)) throw new Error(`${table} is not in the transaction.`)
      return this.#rows[table]
    }
    const read = (table: StoreName, key: Key) => {
      const row = rowsOf(table).get(nameOf(key))
      const written = writes.get(`${table} ${nameOf(key)}`)
      return written ? written.after : row?.value
    }
    const write = (table: StoreName, key: Key, after: unknown) => {
      if (running.mode === 'readonly') throw new Error('The transaction only reads.')
      const before = rowsOf(table).get(nameOf(key))?.value
      writes.set(`${table} ${nameOf(key)}`, { table, key, before, after: copy(after) })
    }
    const keysUnder = (table: StoreName, prefix: string[]) => {
      const keys = new Map([...rowsOf(table)].map(([name, { key }]) => [name, key]))
      for (const one of writes.values()) if (one.table === table) keys.set(nameOf(one.key), one.key)
      return [...keys].filter(([, key]) => isUnder(key, prefix)).toSorted(byName)
    }
    return {
      get: async (table, key) => copy(read(table, key)),
      all: async (table, prefix) =>
        keysUnder(table, prefix)
          .map(([, key]) => copy(read(table, key)))
          .filter((value) => value !== undefined),
      keys: async (table, prefix) =>
        keysUnder(table, prefix)
          .map(([, key]) => key)
          .filter((key) => read(table, key) !== undefined),
      put: write,
      delete: (table, key) => write(table, key, undefined),
      deleteAll: (table, prefix) => {
        for (const [, key] of keysUnder(table, prefix)) write(table, key, undefined)
      },
    }
  }

  #apply(running: Running, changes: Change[]): void {
    for (const { table, key, after } of changes) this.#set(table, key, after)
    if (running.mode === 'strict') this.#unflushed = []
    else if (changes.length > 0) this.#unflushed.push(changes)
    if (changes.length > 0) this.#committed(running.owner, changes)
  }

  #set(table: StoreName, key: Key, value: unknown): void {
    if (value === undefined) this.#rows[table].delete(nameOf(key))
    else this.#rows[table].set(nameOf(key), { key, value })
  }

  #startWaiting(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const running of waiting) if (running.owner.state !== 'dead') this.#begin(running)
  }

  /** After a kill of a context, its open transactions happen completely or not at all. */
  kill(owner: SimulatedProcess): void {
    for (const running of this.#running.filter((one) => one.owner === owner))
      if (running.commit && this.#world.rng.withProbability(0.5)) running.commit()
    this.#running = this.#running.filter((one) => one.owner !== owner)
    this.#startWaiting()
  }

  /** After a power cut, unflushed commits may be lost, newest first. */
  cutPower(): void {
    const lost = this.#world.rng.integerBelow(this.#unflushed.length + 1)
    for (const changes of this.#unflushed.splice(this.#unflushed.length - lost).toReversed())
      for (const { table, key, before } of changes) this.#set(table, key, before)
  }
}

const byName = ([a]: [string, Key], [b]: [string, Key]) => (a < b ? -1 : a > b ? 1 : 0)

const conflict = (a: Running, b: Running) =>
  (a.mode !== 'readonly' || b.mode !== 'readonly') &&
  a.tables.some((table) => b.tables.includes(table))
