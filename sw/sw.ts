// The service worker: the app shell, so that the app opens offline; replay when no tab is open;
// notifications. Requests to `/api` and `/oauth` are not handled.
import { REPLAY_TAG } from '../src/sync/browser/background-sync.ts'
// oxlint-disable-next-line import/default -- Vite builds that file and exports its URL.
import replayUrl from './background-replay.ts?worker&url'
import { Shell } from './shell.ts'

declare const self: ServiceWorkerGlobalScope

const ASSETS = '/assets/*'
const NAVIGATION_DENYLIST = [
  /^\/api\//,
  /^\/oauth\//,
  /^\/[^/]+\.\w+$/,
  /^\/(healthz|readyz|metrics)$/,
]

// The list of the build's files is a script of its own: unlike the worker's, its earlier content lets a
// browser download only what differs.
importScripts(`/${self.__WB_MANIFEST[0].url}`)
const shell = new Shell(self.shellFiles)

self.addEventListener('install', (event) => {
  event.waitUntil(shell.install())
  event.waitUntil(importBackgroundScript())
  event.waitUntil(addRoutes(event).catch(() => undefined))
})

/** Aborted once the next build was accepted: the browser replaces this worker only when it is idle. */
const replaced = new AbortController()
// A channel, because a message to a worker that is stopping would start it again.
const workers = new BroadcastChannel('cairn-workers')
workers.addEventListener('message', () => replaced.abort())

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
 * Static routing, where supported, does not start the worker: assets come from the caches of all builds,
 * and what scripts request, such as the API, from the network. A worker that is to be replaced would
 * otherwise start again with each request.
 */
async function addRoutes(event: ExtendableEvent): Promise<void> {
  await event.addRoutes?.({ condition: { urlPattern: ASSETS }, source: 'cache' })
  await event.addRoutes?.({ condition: { requestDestination: '' }, source: 'network' })
}

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const { installing, waiting } = self.registration
      await shell.deleteOldBuilds((installing ?? waiting) !== null)
      await self.clients.claim()
    })(),
  )
})

// The new build waits until the user accepts it.
self.addEventListener('message', (event) => {
  const { type } = (event.data ?? {}) as { type?: string }
  if (type !== 'SKIP_WAITING') return
  workers.postMessage('replaced')
  event.waitUntil(self.skipWaiting())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  // Without the query: it may end like the name of a file, such as an address that was shared to the app.
  if (request.mode === 'navigate' && !NAVIGATION_DENYLIST.some((path) => path.test(pathname)))
    event.respondWith(shell.page())
  else if (shell.has(pathname)) event.respondWith(shell.serve(pathname))
  // A chunk of the previous build.
  else if (pathname.startsWith('/assets/')) event.respondWith(fromAnyBuild(request))
})

const fromAnyBuild = async (request: Request): Promise<Response> =>
  (await caches.match(request, { ignoreSearch: true })) ?? fetch(request)
