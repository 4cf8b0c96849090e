// The service worker: the app shell, so that the app opens offline; replay when no tab is open;
// notifications. Requests to `/api` and `/oauth` are not handled.
//
// Each build has a cache of its own. The cache of the previous build stays: a tab that still runs it
// may request a lazy chunk that the server does not have any more.
import { PrecacheController, PrecacheRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { REPLAY_TAG } from '../src/sync/browser/background-sync.ts'
// oxlint-disable-next-line import/default -- Vite builds that file and exports its URL.
import replayUrl from './background-replay.ts?worker&url'

declare const self: ServiceWorkerGlobalScope

const CACHE_PREFIX = 'cairn-shell-'
/**
 * Entry of a cache with the time of its activation, so that a build that never ran is not the previous
 * one.
 */
const LAST_USED_KEY = '/used'
const ASSETS = '/assets/*'
const NAVIGATION_DENYLIST = [
  /^\/api\//,
  /^\/oauth\//,
  /^\/[^/]+\.\w+$/,
  /^\/(healthz|readyz|metrics)$/,
]

const entries = self.__WB_MANIFEST
const build = fingerprint(JSON.stringify(entries))
const shell = new PrecacheController({ cacheName: CACHE_PREFIX + build })
shell.addToCacheList(entries)

self.addEventListener('install', (event) => {
  void shell.install(event)
  event.waitUntil(importBackgroundScript())
  event.waitUntil(routeAssets(event).catch(() => undefined))
})

/** Aborted once the next build was accepted: the browser replaces this worker only when it is idle. */
const replaced = new AbortController()

// Background Sync: there is a network, and perhaps no tab to replay. After a rejection the browser
// retries.
self.addEventListener('sync', (event) => {
  if (event.tag !== REPLAY_TAG) return
  event.waitUntil(
    importBackgroundScript().then(() => self.replay(event.lastChance, replaced.signal)),
  )
})

self.addEventListener('push', (event) => {
  event.waitUntil(importBackgroundScript().then(() => self.showPushed(event.data)))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(importBackgroundScript().then(() => self.openNotified(event.notification)))
})

/**
 * Imports the second script. `importScripts` after the installation works only for scripts that were
 * imported during it. Async, so that a failure rejects: events ignore exceptions.
 */
async function importBackgroundScript(): Promise<void> {
  importScripts(replayUrl)
}

/**
 * Static routing, where supported: assets of all cached builds are served without starting the worker.
 */
async function routeAssets(event: ExtendableEvent): Promise<void> {
  await event.addRoutes?.({ condition: { urlPattern: ASSETS }, source: 'cache' })
}

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      await deleteOldBuilds()
      await self.clients.claim()
    })(),
  )
})

// The new build waits until the user accepts it.
self.addEventListener('message', (event) => {
  const { type } = (event.data ?? {}) as { type?: string }
  if (type === 'REPLACED') replaced.abort()
  if (type !== 'SKIP_WAITING') return
  self.registration.active?.postMessage({ type: 'REPLACED' })
  event.waitUntil(self.skipWaiting())
})

registerRoute(
  new NavigationRoute(shell.createHandlerBoundToURL('/index.html'), {
    denylist: NAVIGATION_DENYLIST,
  }),
)
registerRoute(new PrecacheRoute(shell))
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  async ({ request }) => (await caches.match(request, { ignoreSearch: true })) ?? fetch(request),
)

/** Deletes the caches of all builds but this one and the previous one. */
async function deleteOldBuilds(): Promise<void> {
  const others = (await caches.keys()).filter(
    (name) => name.startsWith(CACHE_PREFIX) && name !== CACHE_PREFIX + build,
  )
  const used = await Promise.all(
    others.map(async (name) => {
      const lastUsed = await (await caches.open(name)).match(LAST_USED_KEY)
      return { name, at: lastUsed ? Number(await lastUsed.text()) : 0 }
    }),
  )
  const previous = used.toSorted((a, b) => b.at - a.at)[0]
  for (const { name, at: usedAt } of used)
    if (name !== previous?.name || usedAt === 0) await caches.delete(name)
  await (
    await caches.open(CACHE_PREFIX + build)
  ).put(LAST_USED_KEY, new Response(String(Date.now())))
}

/** FNV-1a in base 36: part of stored cache names. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(36)
}
