// The second file of the worker: what it needs only when it sends or notifies in the background, so that its start,
// which every navigation waits for, stays short.
import * as v from 'valibot'
import { engineTable } from '../contract/engine-table.ts'
import { Config } from '../contract/schemas/config.ts'
import { replayInBackground } from '../src/sync/core/background-replay.ts'
import {
  createChannel,
  clock,
  locks,
  createNetwork,
  random,
} from '../src/sync/browser/web-ports.ts'
import { readSession } from '../src/sync/core/session-store.ts'
import type { Operation } from '../src/sync/core/operation.ts'
import { IndexedDbStore } from '../src/sync/browser/indexeddb-store.ts'
import { openNotified, showPushed } from './push.ts'

declare const self: ServiceWorkerGlobalScope

const CONFIG_PATH = '/config.json'

/** Where the server is, and who the app is there; as last told when it cannot be asked. */
async function loadConfig(): Promise<Config> {
  const cache = await caches.open('cairn-config')
  try {
    const response = await fetch(CONFIG_PATH, { signal: AbortSignal.timeout(10_000) })
    const parsed = v.safeParse(Config, await response.clone().json())
    if (response.ok && parsed.success) {
      await cache.put(CONFIG_PATH, response)
      return parsed.output
    }
  } catch {
    // The server may be away, or a captive portal speak in its place.
  }
  return v.parse(Config, await (await cache.match(CONFIG_PATH))?.json())
}

/** Sends what waits; rejects when the browser should try again later. `last`: it will not. */
async function replay(last: boolean): Promise<void> {
  const { apiBaseUrl, clientId, clientSecret } = await loadConfig()
  const ports = {
    ...engineTable,
    clock,
    random,
    locks,
    store: new IndexedDbStore(),
    network: createNetwork(() => apiBaseUrl),
    channel: createChannel(),
  }
  const client = async () => ({ client_id: clientId, client_secret: clientSecret })
  const unsent = await replayInBackground(
    ports,
    { ...engineTable.token, client },
    { last, sleep: (wait) => new Promise((resolve) => setTimeout(resolve, wait)) },
  )
  if ('setAppBadge' in self.navigator) await updateBadge(ports.store).catch(() => undefined)
  if (unsent > 0) throw new Error(`${unsent} operations wait for another try.`)
}

/** Counts on the app's icon what needs attention, as the page does. */
async function updateBadge(store: IndexedDbStore): Promise<void> {
  const count = await store.transact(['session', 'operations'], 'readonly', async (tx) => {
    const user_id = (await readSession(tx)).session?.user.id
    const operations = (await tx.all('operations', [])) as Operation[]
    return operations.filter((one) => one.user_id === user_id && one.state === 'attention').length
  })
  await self.navigator.setAppBadge(count)
}

Object.assign(self, { replay, showPushed, openNotified })
