// A fresh page as a cure: a new build took the place of the one that this page came from, and browsers do
// not ask twice for a module that failed.
import { sync } from '../sync/client.ts'

const MARK = 'reloaded_at'
/** One reload is a cure, a second one at once is a loop. Milliseconds. */
const ONE_CURE = 60_000
/** Storage that hangs keeps nobody waiting. Milliseconds. */
const PATIENCE = 400

/** Only where a page will come back: from the worker, or from a server that is there; and only once. */
export function mayReload(online: boolean): boolean {
  if (!online && !navigator.serviceWorker?.controller) return false
  try {
    return Date.now() - Number(sessionStorage.getItem(MARK) ?? 0) > ONE_CURE
  } catch {
    return false
  }
}

/** Begins anew, as soon as the drafts of the screen that went away are on the device. */
export async function reload(): Promise<void> {
  try {
    sessionStorage.setItem(MARK, String(Date.now()))
  } catch {
    // Storage is forbidden here; then there is no second automatic reload either.
  }
  // What is written to one table is written in order: this comes after them.
  const written = sync().store.transact(['drafts'], 'readwrite', async () => undefined)
  const enough = new Promise((resolve) => setTimeout(resolve, PATIENCE))
  await Promise.race([written.catch(() => undefined), enough])
  location.reload()
}
