// The half of this page's engine that works: the engine on the ports of a browser, fetched behind the
// first paint.
import { askForReplay, channel, clock, locks, network, random } from './browser-ports.ts'
import type { Partitions } from './cache.ts'
import type { Sync, Working } from './client.ts'
import type { Sources } from './download.ts'
import { Engine } from './engine.ts'
import { forgetFirstScreen } from './first-screen.ts'
import { putOnScreens } from './landing.ts'
import { SEQ_KEY, writeLocal } from './local-session.ts'
import type { Observable } from './observable.ts'
import type { Call, Calls } from './ports.ts'
import { queries } from './query-client.ts'
import { sentBy } from './sent.ts'
import type { TokenCalls } from './tokens.ts'

/** How long a start waits for storage, in milliseconds. */
const PATIENCE = 3_000

/** What is still not sent after this, in milliseconds, is left to the worker too, should the app be closed. */
const SOON = 2_000

/** How often an open app looks for what is new, in milliseconds. */
const LOOK_EVERY = 60_000

/** The product, as the engine needs to know it. */
export interface Product {
  calls: Calls
  names: ReadonlyMap<object, string>
  writeQuery: (query: Record<string, unknown>) => string
  partitions: Partitions
  sources: Sources
  probe: Call
  events: Call
  token: TokenCalls
  baseUrl: () => string
}

/** Makes the engine of that page, starts it, and has the page show what it says. */
export function startEngine(page: Sync, product: Product): Working {
  const engine = new Engine({
    ...product,
    ports: {
      ...product,
      clock,
      random,
      locks,
      store: page.store,
      network: network(product.baseUrl),
      channel: channel(),
    },
    onTouched: (scope, touched) => putOnScreens(engine, scope, touched),
    later: (wait, work) => {
      const timer = setTimeout(work, wait)
      return () => clearTimeout(timer)
    },
  })
  show(engine.operations, page.operations)
  show(engine.sending, page.sending)
  show(engine.connection, page.connection)
  show(engine.syncedAt, page.syncedAt)
  show(engine.reading.download, page.download)
  showSession(engine, page)

  /** At once where nothing can be sent. */
  const mindQueue = () =>
    void setTimeout(leaveToWorker, engine.connection.get() === 'offline' ? 0 : SOON)
  const leaveToWorker = () => {
    const waits = engine.operations.get().some(({ state }) => state === 'pending')
    if (waits) void askForReplay().catch(() => undefined)
  }
  const started = engine.start(page.kept.get()).catch(() => engine.wake())
  listen(engine, leaveToWorker)
  return {
    engine,
    calls: product.calls,
    names: product.names,
    mindQueue,
    sent: async () => {
      const user_id = page.session.current()?.user.id
      return user_id === undefined ? [] : await sentBy(page.store, user_id, clock.now())
    },
    started: Promise.race([started, new Promise((resolve) => setTimeout(resolve, PATIENCE))]),
  }
}

function show<T>(from: Observable<T>, on: Observable<T>): void {
  from.subscribe(() => on.set(from.get()))
}

function showSession(engine: Engine, page: Sync): void {
  engine.session.subscribe((kept) => {
    const before = page.session.current()
    writeLocal(localStorage, kept)
    if (before && before.user.id !== kept.session?.user.id) {
      queries.clear()
      forgetFirstScreen()
    }
    page.kept.set(kept)
  })
}

/** Listens to all that may bring the network back; `leave` hears that the page may be closed soon. */
function listen(engine: Engine, leave: () => void): void {
  const wake = () => engine.wake()
  addEventListener('online', wake)
  addEventListener('offline', wake)
  addEventListener('pageshow', wake)
  document.addEventListener('resume', wake)
  // The messages of others to a frozen tab are lost; those about storage are not.
  addEventListener('storage', ({ key }) => {
    if (key === SEQ_KEY) wake()
  })
  document.addEventListener('visibilitychange', () => {
    const visible = document.visibilityState === 'visible'
    engine.live.watch(visible)
    if (visible) wake()
    else leave()
  })
  setInterval(() => {
    if (document.visibilityState === 'visible' && !engine.live.hears) wake()
  }, LOOK_EVERY)
  engine.live.watch(document.visibilityState === 'visible')
}
