// The half of this page's engine that works: the engine on the ports of a browser, fetched behind the
// first paint.
import { registerBackgroundSync } from './background-sync.ts'
import type { IndexedDbStore } from './indexeddb-store.ts'
import { createChannel, clock, locks, createNetwork, random } from './web-ports.ts'
import type { ChangedRecords, Partitions, Scope } from '../core/replica.ts'
import type { PullEndpoints } from '../core/puller.ts'
import { Engine } from '../core/engine.ts'
import { SESSION_SEQ_KEY, writeStoredSession } from './session-storage.ts'
import type { EngineState, Observable } from '../core/observable.ts'
import type { ApiCall, ApiCalls, ChangedIds } from '../core/ports.ts'
import { readSent, type SentEntry } from '../core/sent-log.ts'
import type { StoredSession } from '../core/session-store.ts'
import type { TokenCalls } from '../core/token-client.ts'

/** How long a start waits for storage, in milliseconds. */
const STORAGE_TIMEOUT_MS = 3_000

/** What is still not sent after this, in milliseconds, is left to the worker too, should the app be closed. */
const BACKGROUND_SYNC_DELAY_MS = 2_000

/** How often an open app looks for what is new, in milliseconds. */
const POLL_INTERVAL_MS = 60_000

/** The product, as the engine needs to know it. */
export interface Product {
  calls: ApiCalls
  names: ReadonlyMap<object, string>
  writeQuery: (query: Record<string, unknown>) => string
  partitions: Partitions
  sources: PullEndpoints
  probe: ApiCall
  events: ApiCall
  token: TokenCalls
  baseUrl: () => string
}

/** A page: its store and observables exist before its engine does. */
export interface EnginePage extends EngineState {
  readonly store: IndexedDbStore
  readonly storedSession: Observable<StoredSession>
}

/** What the page shows of the replica, and has to be brought up to date by the engine. */
export interface ScreenCache {
  /** Resolves when the changed records are on the screens. */
  apply(engine: Engine, scope: Scope, changed: ChangedIds, records?: ChangedRecords): Promise<void>
  /** Removes everything of a user who is not signed in any more. */
  clear(): void
}

/** The running engine of a page. */
export interface EngineHandle {
  engine: Engine
  calls: ApiCalls
  /** The name of each row of the contract's table. */
  names: ReadonlyMap<object, string>
  /** Has pending operations sent by the service worker in case the app is closed now. */
  requestBackgroundSync: () => void
  recentlySent: () => Promise<SentEntry[]>
  /** Resolves when the stored session has been read, or after a timeout. Never rejects. */
  started: Promise<unknown>
}

/** Creates and starts the engine of a page; its state is published on the page's observables. */
export function startEngine(
  page: EnginePage,
  product: Product,
  screens: ScreenCache,
): EngineHandle {
  const engine = new Engine({
    ...product,
    state: page,
    ports: {
      ...product,
      clock,
      random,
      locks,
      store: page.store,
      network: createNetwork(product.baseUrl),
      channel: createChannel(),
    },
    onChanged: (scope, changed, records) => screens.apply(engine, scope, changed, records),
    schedule: (wait, work) => {
      const timer = setTimeout(work, wait)
      return () => clearTimeout(timer)
    },
  })
  mirrorSession(engine, page, screens)

  /** At once where nothing can be sent. */
  const requestBackgroundSync = () =>
    void setTimeout(
      registerIfPending,
      page.connection.get() === 'offline' ? 0 : BACKGROUND_SYNC_DELAY_MS,
    )
  const registerIfPending = () => {
    const hasPending = page.operations.get().some(({ state }) => state === 'pending')
    if (hasPending) void registerBackgroundSync().catch(() => undefined)
  }
  const started = engine.start(page.storedSession.get()).catch(() => engine.wake())
  listenForWake(engine, registerIfPending)
  return {
    engine,
    calls: product.calls,
    names: product.names,
    requestBackgroundSync,
    recentlySent: async () => {
      const user_id = page.storedSession.get().session?.user.id
      return user_id === undefined ? [] : await readSent(page.store, user_id, clock.now())
    },
    started: Promise.race([
      started,
      new Promise((resolve) => setTimeout(resolve, STORAGE_TIMEOUT_MS)),
    ]),
  }
}

function mirrorSession(engine: Engine, page: EnginePage, screens: ScreenCache): void {
  engine.session.subscribe((stored) => {
    const previous = page.storedSession.get().session
    writeStoredSession(localStorage, stored)
    if (previous && previous.user.id !== stored.session?.user.id) screens.clear()
    page.storedSession.set(stored)
  })
}

/** Listens to all that may bring the network back; `leave` hears that the page may be closed soon. */
function listenForWake(engine: Engine, onHidden: () => void): void {
  const wake = () => engine.wake()
  addEventListener('online', wake)
  addEventListener('offline', wake)
  addEventListener('pageshow', wake)
  document.addEventListener('resume', wake)
  // The messages of others to a frozen tab are lost; those about storage are not.
  addEventListener('storage', ({ key }) => {
    if (key === SESSION_SEQ_KEY) wake()
  })
  document.addEventListener('visibilitychange', () => {
    const visible = document.visibilityState === 'visible'
    engine.subscription.setVisible(visible)
    if (visible) wake()
    else onHidden()
  })
  setInterval(() => {
    if (document.visibilityState === 'visible' && !engine.subscription.connected) wake()
  }, POLL_INTERVAL_MS)
  engine.subscription.setVisible(document.visibilityState === 'visible')
}
