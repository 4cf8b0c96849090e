// A device for one test: the real database code on an in-memory IndexedDB, real locks, real engines,
// and the model server behind a network whose behaviour a test can replace.
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { vi } from 'vitest'
import { product } from '../../src/app/boot/product.ts'
import { locks, random } from '../../src/sync/browser/web-ports.ts'
import { Engine, type EngineOptions } from '../../src/sync/core/engine.ts'
import { EngineState } from '../../src/sync/core/observable.ts'
import type { Operation } from '../../src/sync/core/operation.ts'
import { mayLeave } from '../../src/sync/core/arrival/attempt.ts'
import type {
  ApiAddress,
  Message,
  NetworkRequest,
  Ports,
  Store,
} from '../../src/sync/core/ports.ts'
import { IndexedDbStore } from '../../src/sync/browser/indexeddb-store.ts'
import { versionEvent } from './simulation/model/event-stream.ts'
import { ModelServer, type Effect } from './simulation/model-server.ts'
import type { ServerAnswer } from './simulation/model-tenant.ts'

vi.stubGlobal('IDBKeyRange', IDBKeyRange)

const WAIT_TIMEOUT_MS = 30_000
// Longer than a wait, so that a test fails with what the wait saw last, not by its own timeout.
vi.setConfig({ testTimeout: 3 * WAIT_TIMEOUT_MS })

const CHANGES = '/api/v1/changes?since=0'
const KEY_LIFETIME_MS = 30 * 24 * 3_600_000

/** Passes one request to the server, or replaces its answer; throws where no answer arrives. */
type NetworkBehaviour = (request: NetworkRequest, answer: () => ServerAnswer) => ServerAnswer

export const offline: NetworkBehaviour = () => {
  throw new Error('There is no network.')
}

export class EngineFixture {
  readonly factory = new IDBFactory()
  readonly store: Store
  readonly effects: Effect[] = []
  readonly requests: NetworkRequest[] = []
  readonly server = new ModelServer(
    { access_life: 900_000, key_life: KEY_LIFETIME_MS, page: 100 },
    (effect) => void this.effects.push(effect),
  )
  address: ApiAddress = { baseUrl: '' }
  network: NetworkBehaviour = (_request, answer) => answer()
  /** Awaited before an answer is delivered. */
  delayRequest: (request: NetworkRequest) => Promise<void> = async () => {}
  /** What shows at a sign-in that this device was signed in before. */
  deviceTokens = ''
  /** Brings changes of a replica to the screens. */
  onChanged: EngineOptions['onChanged'] = async () => undefined
  /** Upper limit for the wait for any lock, in milliseconds. */
  lockTimeoutMs = Infinity
  /** Whether the user has turned data saver on. */
  dataSaver = false
  /** How far the server's clock is ahead of the device's, in milliseconds. */
  serverClockAheadMs = 0
  /** Whether the server answers though a browser does not show its answer. */
  answersUnread = false
  /** Whether the server streams events, and the open streams. */
  supportsEvents = false
  /** Whether events have the changes, where they are few. */
  eventsHaveChanges = false
  readonly streams = new Set<{ organisation_id: string; tell(event?: object): void; end(): void }>()
  /** Contexts created under an earlier number have been closed. */
  #life = 0
  readonly #listeners = new Map<Ports, (message: Message) => void>()
  readonly #timers = new Set<NodeJS.Timeout>()

  /** `store` wraps the database, where a test needs one that fails. */
  constructor(store?: (real: Store) => Store) {
    const real = new IndexedDbStore(this.factory)
    this.store = store?.(real) ?? real
  }

  /** The device's clock, epoch milliseconds. */
  now(): number {
    return Date.now()
  }

  /** The ports of an engine in one tab of this device. */
  ports(): Ports {
    const life = this.#life
    const ports: Ports = {
      clock: { now: () => this.now() },
      random,
      store: this.store,
      locks: {
        withLock: (name, options, work) => {
          const timeoutMs = Math.min(options.timeoutMs, this.lockTimeoutMs)
          return locks.withLock(name, { ...options, timeoutMs }, work)
        },
      },
      calls: product.calls,
      appVersion: product.appVersion,
      writeQuery: product.writeQuery,
      api: () => this.address,
      network: {
        onlineHint: () => true,
        answers: async () => this.answersUnread,
        saveData: () => this.dataSaver,
        exchange: async (request) => {
          if (life !== this.#life) throw new Error('This context is closed.')
          if (!mayLeave(this.now(), request)) throw new Error('Too late')
          this.requests.push(request)
          const answer = this.network(request, () =>
            this.server.handle(request, Date.now() + this.serverClockAheadMs),
          )
          const header = (name: string) => answer.headers[name.toLowerCase()] ?? null
          await this.delayRequest(request)
          return { ...answer, header }
        },
        stream: async (request, onEvent, signal) => {
          // The stream has the same access check as `changes`.
          const changes = { ...request, url: this.supportsEvents ? CHANGES : request.url }
          const answer = await ports.network.exchange(changes)
          if (!this.supportsEvents || answer.status !== 200) return answer
          const { promise: ended, resolve: end } = Promise.withResolvers<void>()
          const organisation_id = request.headers['X-organisation'] ?? ''
          const tenant = this.server.tenants.get(organisation_id)
          let told: number | undefined
          const next = () => {
            const previous = this.eventsHaveChanges ? told : undefined
            told = tenant?.version
            return tenant ? versionEvent(organisation_id, tenant, previous) : {}
          }
          const tell = (event = next()) =>
            void onEvent({ type: 'version', data: JSON.stringify(event) })
          const stream = { organisation_id, tell, end }
          this.streams.add(stream)
          signal.onCancel(end)
          stream.tell()
          await ended
          this.streams.delete(stream)
          return { status: 200, header: () => 'text/event-stream', text: '' }
        },
      },
      channel: {
        post: (message) => {
          for (const [other, listener] of this.#listeners) if (other !== ports) listener(message)
        },
        subscribe: (listener) => {
          this.#listeners.set(ports, listener)
          return () => void this.#listeners.delete(ports)
        },
      },
    }
    return ports
  }

  /** The engine of a newly opened tab, before its start. */
  engine(): Engine {
    const life = this.#life
    return new Engine({
      ...product,
      ports: this.ports(),
      state: new EngineState(),
      token: {
        ...product.token,
        client: async () => ({ client_id: 'app' }),
        deviceTokens: () => this.deviceTokens,
      },
      onChanged: (...changes) => this.onChanged(...changes),
      schedule: (wait, work) => {
        if (life !== this.#life) return () => undefined
        const timer = setTimeout(work, Math.min(wait, 20))
        this.#timers.add(timer)
        return () => clearTimeout(timer)
      },
    })
  }

  /** A newly opened tab. */
  async tab(): Promise<Engine> {
    const engine = this.engine()
    await engine.start({ seq: 0, session: null })
    return engine
  }

  /** A tab in which that user works in the organisation `north`. */
  async signedInTab(user_id: string): Promise<Engine> {
    const engine = await this.tab()
    await this.signIn(engine, user_id)
    return engine
  }

  /** Deletes an operation as another tab does that discards what is unsent at its sign-out. */
  async remove(id = ''): Promise<void> {
    await this.store.transact(['operations'], 'strict', async (tx) => tx.delete('operations', id))
  }

  async signIn(engine: Engine, user_id: string): Promise<void> {
    await engine.signIn({
      grant_type: 'password',
      username: user_id,
      password: `secret of ${user_id}`,
    })
    await engine.session.update(user_id, { active_organisation: { id: 'north' } })
    engine.wake()
  }

  /** Closes the app: its tabs do nothing any more. */
  closeTabs(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#listeners.clear()
    this.#life += 1
    for (const stream of this.streams) stream.end()
  }

  /** Closes the app and disables the network for good. */
  close(): void {
    this.closeTabs()
    this.network = offline
  }

  /** Texts that took effect on the server, in order. */
  get storedTexts(): string[] {
    return this.effects.map(({ text }) => text)
  }
}

/** Posts an update; resolves when it is saved on the device. */
export const postUpdate = (engine: Engine, text: string, plan_id = 'north-1'): Promise<Operation> =>
  engine.enqueue('postPlanUpdate', { path: { id: plan_id }, body: { id: random.id(), body: text } })

/** Waits until `look` throws no more; after half a minute it fails with what `look` threw last. */
export const waitFor = (look: () => Promise<void> | void): Promise<void> =>
  vi.waitFor(look, { timeout: WAIT_TIMEOUT_MS, interval: 5 })

/** Moves the device's clock ahead by that many milliseconds, until mocks are restored. */
export function moveClock(aheadMs: number): void {
  const began = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => began + aheadMs)
}
