// The picture of the last first screen, which `first-paint.js` shows at the next start before
// the app is there. Like the snapshot it is gone with the session; losing it costs milliseconds.
import type { SyncClient } from '../../sync/client.ts'
import { SCREEN_SNAPSHOT_KEY } from '../../sync/react/boot-cache.ts'

/** Where the app begins. */
const SNAPSHOT_PATHS = new Set(['/', '/success-plans'])
/** Characters; a screen that is larger is not worth its place. */
const MAX_SNAPSHOT_CHARS = 150_000
/** That nothing has changed on the screen. Milliseconds. */
const QUIET_MS = 1_500

/** Keeps a picture of where the app begins, whenever that has changed and when the page goes. */
export function recordScreenSnapshots(page: SyncClient): void {
  const root = document.getElementById('root')
  if (!root) return
  const save = () => {
    const snapshot = snapshotOf(root, page)
    if (snapshot === undefined) return
    try {
      localStorage.setItem(SCREEN_SNAPSHOT_KEY, snapshot)
    } catch {
      // No room: the next start shows the app itself.
    }
  }
  let timer: ReturnType<typeof setTimeout>
  // After a change nothing is observed for a while: while one types, each record costs a key time.
  const observer = new MutationObserver(() => {
    observer.disconnect()
    clearTimeout(timer)
    timer = setTimeout(watch, QUIET_MS)
  })
  const watch = () => {
    observer.observe(root, { childList: true, characterData: true, subtree: true })
    timer = setTimeout(save, QUIET_MS)
  }
  watch()
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) save()
  })
  addEventListener('pagehide', save)
}

/** Undefined where nothing stands that a start should show. */
function snapshotOf(root: HTMLElement, page: SyncClient): string | undefined {
  const session = page.session.current()
  const styles = document.querySelector('link[rel=stylesheet]')?.getAttribute('href')
  // Another tab may have signed out, and this one not have heard of it.
  const isSignedIn = localStorage.getItem('access_token') !== null
  if (!session?.active_organisation || !isSignedIn || !styles) return undefined
  if (!SNAPSHOT_PATHS.has(location.pathname) || location.search !== '' || scrollY > 0)
    return undefined
  if (document.querySelector('[role$=dialog]') || !root.querySelector('main a[href]'))
    return undefined
  const copy = root.cloneNode(true) as HTMLElement
  const rows = copy.querySelectorAll('li')
  // What lies below the window would only make the picture late; a keyboard may stand in it now.
  const end = Math.max(innerHeight, screen.height)
  root.querySelectorAll('li').forEach((row, index) => {
    if (row.getBoundingClientRect().top > end) rows[index]?.remove()
  })
  copy.querySelectorAll('[popover], output, [role=status]').forEach((element) => element.remove())
  for (const element of copy.querySelectorAll('[style]')) {
    element.setAttribute('data-style', element.getAttribute('style') ?? '')
    element.removeAttribute('style')
  }
  const html = copy.innerHTML
  if (html.length > MAX_SNAPSHOT_CHARS) return undefined
  return JSON.stringify({
    user: session.user.id,
    organisation: session.active_organisation.id,
    path: location.pathname,
    width: innerWidth,
    title: document.title,
    styles,
    html,
  })
}
