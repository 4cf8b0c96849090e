// Reloads the page when a chunk is missing: a new build replaced this page's, and browsers do not retry
// a failed module import.
import { sync } from '../../sync/client.ts'

const RELOADED_AT_KEY = 'reloaded_at'
/** Minimum time between automatic reloads, which prevents a reload loop. */
const RELOAD_INTERVAL_MS = 60_000
/** A reload does not wait longer than this for storage. */
const DRAFT_WRITE_TIMEOUT_MS = 400

/**
 * Whether a reload can help: a worker or a reachable server will serve the page, and there was no
 * recent automatic reload.
 */
export function mayReload(online: boolean): boolean {
  // The browser knows sooner than the app that the network is gone.
  if (!(online && navigator.onLine) && !navigator.serviceWorker?.controller) return false
  try {
    return Date.now() - Number(sessionStorage.getItem(RELOADED_AT_KEY) ?? 0) > RELOAD_INTERVAL_MS
  } catch {
    return false
  }
}

/** Reloads after the drafts of the unmounted screen are stored. */
export async function reload(): Promise<void> {
  try {
    sessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()))
  } catch {
    // Storage is blocked; `mayReload` then allows no automatic reload either.
  }
  // Writes to one table are ordered, so this transaction completes after them.
  const written = sync().store.transact(['drafts'], 'readwrite', async () => undefined)
  const timeout = new Promise((resolve) => setTimeout(resolve, DRAFT_WRITE_TIMEOUT_MS))
  await Promise.race([written.catch(() => undefined), timeout])
  location.reload()
}
