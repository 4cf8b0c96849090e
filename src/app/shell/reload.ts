// A fresh page as a cure: a new build took the place of the one that this page came from, and browsers do
// not ask twice for a module that failed.
import { sync } from '../../sync/client.ts'

const RELOADED_AT_KEY = 'reloaded_at'
/** One reload is a cure, a second one at once is a loop. Milliseconds. */
const RELOAD_INTERVAL_MS = 60_000
/** Storage that hangs keeps nobody waiting. Milliseconds. */
const DRAFT_WRITE_TIMEOUT_MS = 400

/** Only where a page will come back: from the worker, or from a server that is there; and only once. */
export function mayReload(online: boolean): boolean {
  if (!online && !navigator.serviceWorker?.controller) return false
  try {
    return Date.now() - Number(sessionStorage.getItem(RELOADED_AT_KEY) ?? 0) > RELOAD_INTERVAL_MS
  } catch {
    return false
  }
}

/** Begins anew, as soon as the drafts of the screen that went away are on the device. */
export async function reload(): Promise<void> {
  try {
    sessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()))
  } catch {
    // Storage is forbidden here; then there is no second automatic reload either.
  }
  // What is written to one table is written in order: this comes after them.
  const written = sync().store.transact(['drafts'], 'readwrite', async () => undefined)
  const timeout = new Promise((resolve) => setTimeout(resolve, DRAFT_WRITE_TIMEOUT_MS))
  await Promise.race([written.catch(() => undefined), timeout])
  location.reload()
}
