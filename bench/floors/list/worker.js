// Caches the two files of the floor, so that it opens offline as the app does.
addEventListener('install', (event) => {
  event.waitUntil(caches.open('floor').then((cache) => cache.addAll(['/', '/list.js'])))
})
addEventListener('fetch', (event) => {
  event.respondWith(caches.match(event.request).then((kept) => kept ?? fetch(event.request)))
})
