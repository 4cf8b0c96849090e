// The second file of the worker: what it needs only when it sends or notifies in the background, so that its start,
// which every navigation waits for, stays short.
import * as v from 'valibot'
import { table } from '../contract/calls.ts'
import { Config } from '../contract/config.ts'
import { replayInBackground } from '../src/sync/background.ts'
import { channel, clock, locks, network, random } from '../src/sync/browser-ports.ts'
import { keptIn } from '../src/sync/mirror.ts'
import type { Operation } from '../src/sync/operation.ts'
import { IndexedDbStore } from '../src/sync/store-indexeddb.ts'
import { openNotified, showPushed } from './push.ts'

declare const self: ServiceWorkerGlobalScope

const CONFIG = '/config.json'

/** Where the server is, and who the app is there; as last told when it cannot be asked. */
async function configuration(): Promise<Config> {
  const kept = await caches.open('cairn-config')
  try {
    const answer = await fetch(CONFIG, { signal: AbortSignal.timeout(10_000) })
    const read = v.safeParse(Config, await answer.clone().json())
    if (answer.ok && read.success) {
      await kept.put(CONFIG, answer)
      return read.output
    }
  } catch {
    // The server may be away, or a captive portal speak in its place.
  }
  return v.parse(Config, await (await kept.match(CONFIG))?.json())
}

/** Sends what waits; rejects when the browser should try again later. `last`: it will not. */
async function replay(last: boolean): Promise<void> {
  const { apiBaseUrl, clientId, clientSecret } = await configuration()
  const ports = {
    ...table,
    clock,
    random,
    locks,
    store: new IndexedDbStore(),
    network: network(() => apiBaseUrl),
    channel: channel(),
  }
  const client = async () => ({ client_id: clientId, client_secret: clientSecret })
  const left = await replayInBackground(
    ports,
    { ...table.token, client },
    { last, sleep: (wait) => new Promise((resolve) => setTimeout(resolve, wait)) },
  )
  if ('setAppBadge' in self.navigator) await badge(ports.store).catch(() => undefined)
  if (left > 0) throw new Error(`${left} operations wait for another try.`)
}

/** Counts on the app's icon what needs attention, as the page does. */
async function badge(store: IndexedDbStore): Promise<void> {
  const count = await store.transact(['session', 'operations'], 'readonly', async (tx) => {
    const user_id = (await keptIn(tx)).session?.user.id
    const operations = (await tx.all('operations', [])) as Operation[]
    return operations.filter((one) => one.user_id === user_id && one.state === 'attention').length
  })
  await self.navigator.setAppBadge(count)
}

Object.assign(self, { replay, showPushed, openNotified })
