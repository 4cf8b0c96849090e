// The worker's second script: replay and notifications. Separate, as every navigation waits for the
// start of the main script.
import * as v from 'valibot'
import { apiAddress, engineTable } from '../contract/engine-table.ts'
import { Config } from '../contract/schemas/config.ts'
import { isSameServer } from '../src/sync/core/api/address.ts'
import { replayInBackground } from '../src/sync/core/replay/background-replay.ts'
import {
  createChannel,
  clock,
  locks,
  createNetwork,
  random,
} from '../src/sync/browser/web-ports.ts'
import { readSession } from '../src/sync/core/session-store.ts'
import { Outbox } from '../src/sync/core/outbox.ts'
import type { CancelSignal, Ports } from '../src/sync/core/ports.ts'
import { CONFIG_CACHE, CONFIG_PATH, storeConfig } from '../src/sync/browser/stored-config.ts'
import { OutboxCopy } from '../src/sync/browser/outbox-copy.ts'
import { IndexedDbStore } from '../src/sync/browser/indexeddb-store.ts'
import { endSubscription, openNotified, showPushed } from './push.ts'

declare const self: ServiceWorkerGlobalScope

const CONFIG_TIMEOUT_MS = 10_000

/**
 * The configuration; the last stored one when the server is unreachable or `signal` is aborted. Rejects without either,
 * and when the stored one names another server than the session is of: it may be from before the sign-in, and would end
 * that session.
 */
async function loadConfig(store: Ports['store'], signal: AbortSignal): Promise<Config> {
  try {
    const response = await fetch(CONFIG_PATH, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(CONFIG_TIMEOUT_MS)]),
    })
    const parsed = v.safeParse(Config, await response.json())
    if (response.ok && parsed.success) {
      // A full device stores none, and a Cache Storage may never answer.
      void storeConfig(parsed.output).catch(() => undefined)
      return parsed.output
    }
  } catch {
    // Unreachable, or a captive portal's response: use the stored one.
  }
  const stored = await (await caches.open(CONFIG_CACHE)).match(CONFIG_PATH)
  const config = v.parse(Config, await stored?.json())
  const { api } = await store.transact(['session'], 'readonly', readSession)
  if (!isSameServer(apiAddress(config), api))
    throw new Error('The stored configuration is of another server than the session.')
  return config
}

/**
 * Sends pending operations, until `signal` is aborted. Rejects when the browser should retry later; with
 * `last` it does not retry.
 */
async function replay(last: boolean, signal: AbortSignal): Promise<void> {
  const store = new IndexedDbStore()
  const config = await loadConfig(store, signal)
  const { apiBaseUrl, clientId, clientSecret } = config
  const copy = new OutboxCopy(store)
  await copy.restore().catch(() => 0)
  const ports = {
    ...engineTable,
    clock,
    random,
    locks,
    store,
    network: copy.guard(createNetwork(() => apiBaseUrl)),
    api: () => apiAddress(config),
    channel: createChannel(),
  }
  const client = async () => ({ client_id: clientId, client_secret: clientSecret })
  const cleared: Promise<unknown>[] = []
  let unsent: number
  try {
    unsent = await replayInBackground(
      ports,
      { ...engineTable.token, client },
      {
        last,
        sleep: (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs)),
        signal: cancelSignalOf(signal),
        reads: engineTable,
        onSessionEnd: () => void cleared.push(markSessionEnd(), endSubscription()),
      },
    )
  } finally {
    await Promise.allSettled(cleared)
  }
  // The browser may end the worker at any time after its replay.
  await copy.settled()
  if ('setAppBadge' in self.navigator) await updateBadge(ports).catch(() => undefined)
  if (unsent > 0) throw new Error(`${unsent} operations are still pending.`)
}

const YEAR_MS = 365 * 86_400_000

/** Tells the next start, by a cookie, that the session and the snapshot in localStorage are of an ended session. */
const markSessionEnd = async () =>
  await self.cookieStore?.set({
    name: 'session_ended',
    value: 'yes',
    expires: Date.now() + YEAR_MS,
    sameSite: 'strict',
  })

const cancelSignalOf = (signal: AbortSignal): CancelSignal => ({
  get cancelled() {
    return signal.aborted
  },
  onCancel(listener) {
    if (signal.aborted) listener()
    else signal.addEventListener('abort', listener, { once: true })
  },
})

/** Shows the number of operations for this server that need attention on the app's icon, as the page does. */
async function updateBadge(ports: Ports): Promise<void> {
  const { session } = await ports.store.transact(['session'], 'readonly', readSession)
  const own = (await new Outbox(ports).all()).filter((one) => one.user_id === session?.user.id)
  await self.navigator.setAppBadge(own.filter(({ state }) => state === 'attention').length)
}

// Called by sw.ts under these names.
Object.assign(self, { replay, showPushed, openNotified })
