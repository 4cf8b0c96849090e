// Starts the engine of a page on a browser's ports. Loaded after the first paint.
import { adoptTokens } from './adopt-tokens.ts'
import { registerBackgroundSync } from './background-sync.ts'
import type { IndexedDbStore } from './indexeddb-store.ts'
import { OutboxCopy } from './outbox-copy.ts'
import {
  createChannel,
  clock,
  createLocks,
  createNetwork,
  freezeLocks,
  random,
  thawLocks,
} from './web-ports.ts'
import type { ChangedRecords, Partitions, Scope } from '../core/replica.ts'
import type { OpenPolling, OpenView } from '../core/pull/open-polling.ts'
import type { PullEndpoints } from '../core/pull/list-pull.ts'
import { Engine } from '../core/engine.ts'
import {
  readLoneTokens,
  SESSION_SEQ_KEY,
  writeForgetAt,
  writeStoredSession,
} from './session-storage.ts'
import type { EngineState, Observable } from '../core/observable.ts'
import type { ApiAddress, ApiCall, ApiCalls, ChangedIds } from '../core/ports.ts'
import { hasEndedSessions } from '../core/replay/revocations.ts'
import { readSent, type SentEntry } from '../core/sent-log.ts'
import type { StoredSession } from '../core/session-store.ts'
import type { TokenCalls } from '../core/token-client.ts'

/** Storage that hangs must not keep the app from starting. */
const STORAGE_TIMEOUT_MS = 3_000

/** Operations that are still pending after this delay are also left to the service worker. */
const BACKGROUND_SYNC_DELAY_MS = 2_000

const POLL_INTERVAL_MS = 60_000

/** From a start until the outbox copy is compared with the database. */
const COMPARE_DELAY_MS = 10_000

/** The endpoint table and the configuration of the product; see contract/engine-table.ts. */
export interface Product {
  calls: ApiCalls
  /** The version of the app, see Ports. */
  appVersion: string
  /** The name of each row of the endpoint table. */
  names: ReadonlyMap<object, string>
  writeQuery: (query: Record<string, unknown>) => string
  partitions: Partitions
  sources: PullEndpoints
  probe: ApiCall
  events: ApiCall
  token: TokenCalls
  /** Asked for each request. */
  api: () => ApiAddress
  /** Resolves when `api` knows the server; rejects when it cannot be found out now. */
  configured: () => Promise<void>
}

/** A page: its store and observables exist before its engine does. */
export interface EnginePage extends EngineState {
  readonly store: IndexedDbStore
  readonly storedSession: Observable<StoredSession>
}

/** The page's cache of the replica, which the engine keeps up to date. */
export interface ScreenCache {
  /** Shows changed records; resolves when they are shown. `records` as in EngineOptions.onChanged. */
  apply(engine: Engine, scope: Scope, changed: ChangedIds, records?: ChangedRecords): Promise<void>
  /** What the screens of an organisation show now. */
  openViews(scope: Scope): OpenView[]
  /** Removes all data, after the signed-in user changed. */
  clear(): void
}

/** The running engine of a page. */
export interface EngineHandle {
  engine: Engine
  calls: ApiCalls
  /** The name of each row of the endpoint table. */
  names: ReadonlyMap<object, string>
  /** Asks the browser to let the service worker send pending operations, in case the app is closed. */
  requestBackgroundSync: () => void
  /** The operations of the last 14 days, latest first; empty when signed out. */
  recentlySent: () => Promise<SentEntry[]>
  /** The number of operations that came back after the browser had lost its database. Never rejects. */
  restored: Promise<number>
  /**
   * Resolves when the stored session was read and, for tokens without a user, the server was asked; or after a timeout.
   * Never rejects.
   */
  started: Promise<unknown>
  /** Resolves when the stored session has been read, without a timeout. Never rejects. */
  decided: Promise<unknown>
}

/** Creates and starts the engine of a page; its state is published on the page's observables. */
export function startEngine(
  page: EnginePage,
  product: Product,
  screens: ScreenCache,
): EngineHandle {
  const copy = new OutboxCopy(page.store)
  const ports = {
    ...product,
    clock,
    random,
    locks: createLocks(page.store),
    store: page.store,
    network: copy.guard(createNetwork(() => product.api().baseUrl, product.configured)),
    channel: createChannel(),
  }
  const engine = new Engine({
    ...product,
    state: page,
    ports,
    onChanged: (scope, changed, records) => screens.apply(engine, scope, changed, records),
    schedule: (delayMs, work) => {
      const timer = setTimeout(work, delayMs)
      return () => clearTimeout(timer)
    },
  })
  publishSession(engine, page, screens)
  publishCapabilities(engine, page)
  logUnread(page.readReport)

  // Without delay while offline, when this page cannot send.
  const requestBackgroundSync = () =>
    void setTimeout(
      registerIfPending,
      page.connection.get() === 'offline' ? 0 : BACKGROUND_SYNC_DELAY_MS,
    )
  const registerIfPending = () => {
    const hasPending = page.operations.get().some(({ state }) => state === 'pending')
    const isDue = hasPending ? Promise.resolve(true) : hasEndedSessions(page.store)
    void isDue.then((due) => (due ? registerBackgroundSync() : undefined)).catch(() => undefined)
  }
  // Ends the session on the server, in case the app is closed.
  engine.session.subscribe(({ session }) => {
    if (!session) requestBackgroundSync()
  })
  const restored = copy.restore().catch(() => 0)
  // Late, because it reads the whole outbox.
  setTimeout(() => void copy.compare().catch(() => undefined), COMPARE_DELAY_MS)
  const decided = engine.start(page.storedSession.get(), restored).catch(() => engine.wake())
  const adopt = async () => {
    if (engine.session.caller() || !readLoneTokens(localStorage)) return
    await adoptTokens(engine, ports, product.token)
    engine.wake()
  }
  const started = decided.then(adopt).catch(() => undefined)
  // The database can also be deleted while the page is open.
  const { onLost } = page.store
  page.store.onLost = () => void copy.restore().then(onLost, onLost)
  const { http, puller, pullScheduler } = engine
  /** For a server without `changes`; its code is loaded for the first reading. */
  let polling: OpenPolling | undefined
  const pollOpen = async () => {
    const part = await import('../core/pull/open-polling.ts')
    polling ??= new part.OpenPolling({ http, puller, pullScheduler, sources: product.sources })
    const replica = engine.activeReplica()
    if (replica) await polling.poll(replica, screens.openViews(replica.scope))
  }
  const prepareForEnd = () => {
    void copy.settled()
    registerIfPending()
  }
  const wake = () => {
    engine.wake()
    void adopt().catch(() => undefined)
  }
  listenForWake(engine, wake, prepareForEnd, () => void pollOpen().catch(() => undefined))
  // After a pull, so that it delays no start. Without room there is no reserve.
  page.lastSyncedAt.subscribe(() => void engine.room.fillReserve().catch(() => undefined))
  return {
    engine,
    restored,
    calls: product.calls,
    names: product.names,
    requestBackgroundSync,
    recentlySent: async () => {
      const user_id = page.storedSession.get().session?.user.id
      return user_id === undefined ? [] : await readSent(page.store, user_id, clock.now())
    },
    decided,
    started: Promise.race([
      started,
      new Promise((resolve) => setTimeout(resolve, STORAGE_TIMEOUT_MS)),
    ]),
  }
}

/** Copies the session to localStorage and to the page; clears the screens when the user changes. */
function publishSession(engine: Engine, page: EnginePage, screens: ScreenCache): void {
  engine.session.subscribe((stored) => {
    const { seq, session: previous } = page.storedSession.get()
    // The session may have ended before this page began.
    const isOver = stored.session === null && stored.seq > seq
    writeStoredSession(localStorage, stored)
    writeForgetAt(localStorage, stored.session ? engine.session.contact.endsAt : undefined)
    if (previous ? previous.user.id !== stored.session?.user.id : isOver) screens.clear()
    page.storedSession.set(stored)
  })
}

/** Copies what the server can do to the page and to localStorage, for the first paint of the next start. */
function publishCapabilities(engine: Engine, page: EnginePage): void {
  const publish = () => {
    const { names } = engine.http.capabilities
    if (names === undefined) return
    page.capabilities.set(names)
    try {
      localStorage.setItem('capabilities', names)
    } catch {
      // Full or forbidden: they are learnt again.
    }
  }
  engine.http.capabilities.subscribe(publish)
  engine.session.subscribe(publish)
}

/** Names each value that could not be read once in the console, for those who run the server. */
function logUnread(report: EngineState['readReport']): void {
  const logged = new Set<string>()
  report.subscribe(() => {
    for (const { collection, id, path, type } of report.get().unread) {
      const text = `Could not be read: ${collection} ${id}, ${path} (${type})`
      if (!logged.has(text)) console.warn(text)
      logged.add(text)
    }
  })
}

/**
 * Calls `wake` on every event that can mean a network; calls `onHidden` when the page may be closed
 * soon, and `pollOpen` regularly at a server whose changes are not announced or listed.
 */
function listenForWake(
  engine: Engine,
  wake: () => void,
  onHidden: () => void,
  pollOpen: () => void,
): void {
  addEventListener('pagehide', ({ persisted }) => persisted && freezeLocks())
  document.addEventListener('freeze', freezeLocks)
  addEventListener('pageshow', thawLocks)
  document.addEventListener('resume', thawLocks)
  addEventListener('online', wake)
  addEventListener('offline', wake)
  addEventListener('pageshow', wake)
  document.addEventListener('resume', wake)
  // A frozen tab loses channel messages, but receives storage events.
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
    // An open stream is contact, though days may pass without an event.
    if (engine.subscription.connected) engine.session.noteAnswer()
    if (document.visibilityState !== 'visible' || engine.subscription.connected) return
    wake()
    if (engine.puller.usesLists && engine.state.connection.get() !== 'offline') pollOpen()
  }, POLL_INTERVAL_MS)
  engine.subscription.setVisible(document.visibilityState === 'visible')
}
