// The service worker: the shell, so that the app opens without a network; the sending of what waits
// when no tab is open; notifications. `/api` and `/oauth` never come through here.
//
// Each build has a cache of its own. The build before is kept as well: a tab that still runs it may
// yet ask for one of its lazy chunks, which the server no longer has.
import { PrecacheController, PrecacheRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { REPLAY_TAG } from '../src/sync/browser/background-sync.ts'
// oxlint-disable-next-line import/default -- Vite builds that file, and this is its URL.
import replayUrl from './background-replay.ts?worker&url'

declare const self: ServiceWorkerGlobalScope

const CACHE_PREFIX = 'cairn-shell-'
/** In the cache of a build that was in use, so that one which never was is not taken for the build before. */
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

// There is a network, and maybe no tab that would send what waits. A rejection asks for another try.
self.addEventListener('sync', (event) => {
  if (event.tag !== REPLAY_TAG) return
  event.waitUntil(importBackgroundScript().then(() => self.replay(event.lastChance)))
})

self.addEventListener('push', (event) => {
  event.waitUntil(importBackgroundScript().then(() => self.showPushed(event.data)))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(importBackgroundScript().then(() => self.openNotified(event.notification)))
})

/**
 * Only what was imported during the installation can be imported later: it is kept beside this file,
 * out of its start, which every navigation waits for. Rejects rather than throws, which no event heeds.
 */
async function importBackgroundScript(): Promise<void> {
  importScripts(replayUrl)
}

/** Where the browser has it, files of any kept build are served without asking this worker. */
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
  if (type === 'SKIP_WAITING') event.waitUntil(self.skipWaiting())
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

/** Short and stable: FNV-1a. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(36)
}
