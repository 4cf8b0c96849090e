// The service worker serves the cached page with the headers it was fetched with, including an old
// content security policy. Origins configured since then would be blocked on every installed device.

const PAGE_PATH = '/index.html'
const CSP_HEADER = 'Content-Security-Policy'

/**
 * Rewrites the policy header of the cached page, effective from the next load. `null`: the server sends
 * no policy, so nothing changes.
 */
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
