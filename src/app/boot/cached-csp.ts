// The worker serves the page with the headers that it once came with, and so with the content security
// policy of that day. What is configured since then would be blocked on every device that has the app.

const PAGE_PATH = '/index.html'
const CSP_HEADER = 'Content-Security-Policy'

/** Has the kept page come with that policy of the server from the next load on; null is none. */
export async function updateCachedCsp(policy: string | null): Promise<void> {
  if (policy === null || !('caches' in window)) return
  for (const name of await caches.keys()) {
    const cache = await caches.open(name)
    const [key] = await cache.keys(PAGE_PATH, { ignoreSearch: true })
    const page = key && (await cache.match(key))
    if (!page || page.headers.get(CSP_HEADER) === policy) continue
    const headers = new Headers(page.headers)
    headers.set(CSP_HEADER, policy)
    await cache.put(key, new Response(page.body, { headers }))
  }
}
