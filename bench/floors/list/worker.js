// Keeps the floor's two files, so that it opens without a network as the app does.
addEventListener('install', (event) => {
  event.waitUntil(caches.open('floor').then((cache) => cache.addAll(['/', '/list.js'])))
})
addEventListener('fetch', (event) => {
  event.respondWith(caches.match(event.request).then((kept) => kept ?? fetch(event.request)))
})
