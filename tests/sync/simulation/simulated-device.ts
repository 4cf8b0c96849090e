// What the contexts of one simulated device share besides the database: locks, the broadcast channel,
// and localStorage, which loses its last seconds when the browser is killed.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Channel, Locks, Message } from '../../../src/sync/core/ports.ts'
import { copy } from './simulated-storage.ts'
import type { SimulatedProcess, SimulatedEnvironment } from './simulated-environment.ts'

interface Request {
  owner: SimulatedProcess
  grant: () => void
}

/** Web Locks among the contexts of one origin. */
export class SimulatedLocks {
  readonly #world: SimulatedEnvironment
  readonly #holders = new Map<string, Request>()
  readonly #waiting = new Map<string, Request[]>()

  constructor(world: SimulatedEnvironment) {
    this.#world = world
  }

  of(owner: SimulatedProcess): Locks {
    return {
      withLock: (name, { timeoutMs, steal = false }, work) =>
        new Promise((resolve, reject) => {
          let granted = false
          const run = AsyncLocalStorage.bind(work)
          const soon = (run: () => void) => this.#world.schedule(0.1, run, owner)
          const request: Request = {
            owner,
            grant: () => {
              granted = true
              this.#holders.set(name, request)
              soon(() => {
                // As in a browser: a holder whose lock was stolen continues, and its result counts.
                void run().then(
                  (value) => {
                    this.#release(name, request)
                    soon(() => resolve({ value }))
                  },
                  (error: unknown) => {
                    this.#release(name, request)
                    soon(() => reject(error))
                  },
                )
              })
            },
          }
          const giveUp = () => {
            if (granted) return
            this.#waiting.set(
              name,
              this.#waitersOf(name).filter((other) => other !== request),
            )
            if (!steal) return resolve(undefined)
            this.#world.log(owner.name, () => `steals the lock ${name}`)
            request.grant()
          }
          this.#world.schedule(
            this.#world.rng.numberBetween(0.1, 2),
            () => {
              if (!this.#holders.has(name)) return request.grant()
              if (timeoutMs === 0) return giveUp()
              this.#waitersOf(name).push(request)
              this.#world.schedule(timeoutMs, giveUp, owner)
            },
            owner,
          )
        }),
    }
  }

  #waitersOf(name: string): Request[] {
    const waiters = this.#waiting.get(name) ?? []
    this.#waiting.set(name, waiters)
    return waiters
  }

  #release(name: string, request: Request): void {
    if (this.#holders.get(name) !== request) return
    this.#holders.delete(name)
    this.#waitersOf(name).shift()?.grant()
  }

  kill(owner: SimulatedProcess): void {
    for (const [name, waiters] of this.#waiting)
      this.#waiting.set(
        name,
        waiters.filter((request) => request.owner !== owner),
      )
    for (const [name, request] of this.#holders)
      if (request.owner === owner) this.#release(name, request)
  }
}

/** A broadcast channel: delivers to all other live contexts, with a delay, in order. */
export class SimulatedChannel {
  readonly #world: SimulatedEnvironment
  readonly #listeners = new Map<
    SimulatedProcess,
    { listener: (message: Message) => void; last: number }
  >()

  constructor(world: SimulatedEnvironment) {
    this.#world = world
  }

  of(owner: SimulatedProcess): Channel {
    return {
      post: (message) => {
        const copied = copy(message)
        for (const [other, hearing] of this.#listeners) {
          if (other === owner || other.state === 'dead') continue
          const { rng: chance, now } = this.#world
          const delay = chance.withProbability(0.1) ? chance.numberBetween(5, 400) : 1
          hearing.last = Math.max(hearing.last + 0.001, now + delay)
          this.#world.schedule(hearing.last - now, () => hearing.listener(copy(copied)), other)
        }
      },
      subscribe: (listener) => {
        this.#listeners.set(owner, { listener, last: 0 })
        return () => void this.#listeners.delete(owner)
      },
    }
  }
}

const UNFLUSHED_WINDOW_MS = 5_000

/** localStorage: visible to all tabs at once, on disk only seconds later. */
export class SimulatedLocalStorage {
  readonly #world: SimulatedEnvironment
  #values = new Map<string, string>()
  #past: { at: number; values: Map<string, string> }[] = []

  constructor(world: SimulatedEnvironment) {
    this.#world = world
  }

  get(key: string): string | null {
    return this.#values.get(key) ?? null
  }

  /** The part of the interface that the session's keys use. */
  asStorage(): Storage {
    const write = (key: string, value: string | undefined) => {
      const { now } = this.#world
      this.#past = this.#past.filter(({ at }) => at > now - UNFLUSHED_WINDOW_MS)
      this.#past.push({ at: now, values: new Map(this.#values) })
      if (value === undefined) this.#values.delete(key)
      else this.#values.set(key, value)
    }
    return {
      getItem: (key: string) => this.get(key),
      setItem: (key: string, value: string) => write(key, value),
      removeItem: (key: string) => write(key, undefined),
    } as Storage
  }

  /** After a kill of the browser, some of the last seconds' writes are lost. */
  kill(): void {
    const unsafe = this.#past.filter(({ at }) => at > this.#world.now - UNFLUSHED_WINDOW_MS)
    if (unsafe.length > 0 && this.#world.rng.withProbability(0.7))
      this.#values = new Map(this.#world.rng.pick(unsafe).values)
    this.#past = []
  }
}
