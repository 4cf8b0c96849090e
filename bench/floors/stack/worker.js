// The worker of that floor, with the app's libraries: the shell from the cache, for every navigation.
import { createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

precacheAndRoute(self.__WB_MANIFEST)
registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html')))
addEventListener('install', () => void self.skipWaiting())
addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
