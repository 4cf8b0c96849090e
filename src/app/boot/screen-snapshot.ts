// Stores an HTML snapshot of the start screen, which `boot-script.js` shows at the next start before
// the app has loaded. It is removed with the session; without it a start is only slower.
import type { SyncClient } from '../../sync/client.ts'
import { SCREEN_SNAPSHOT_KEY } from '../../sync/react/boot-cache.ts'

/** The paths at which the app starts. */
const SNAPSHOT_PATHS = new Set(['/', '/success-plans'])
/** In characters. A larger screen is not stored, to save localStorage space. */
const MAX_SNAPSHOT_CHARS = 150_000
/** The rows of lists and tables. */
const ROWS = 'li, tbody > tr'
/** How long the screen must be unchanged before it is recorded. */
const QUIET_MS = 1_500

/** Records a snapshot of a start screen after it has settled, and when the page is hidden. */
export function recordScreenSnapshots(page: SyncClient): void {
  const root = document.getElementById('root')
  if (!root) return
  const save = () => {
    const snapshot = snapshotOf(root, page)
    if (snapshot === undefined) return
    try {
      localStorage.setItem(SCREEN_SNAPSHOT_KEY, snapshot)
    } catch {
      // Storage is full: the next start has no snapshot.
    }
  }
  let timer: ReturnType<typeof setTimeout>
  // Stops observing for a while after a change: recording mutations slows down every key press while
  // typing.
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

/** The snapshot of the current screen; undefined if it should not be shown at a start. */
function snapshotOf(root: HTMLElement, page: SyncClient): string | undefined {
  const session = page.session.current()
  const styles = document.querySelector('link[rel=stylesheet]')?.getAttribute('href')
  // Another tab may have signed out without this one knowing yet.
  const isSignedIn = localStorage.getItem('access_token') !== null
  if (!session?.active_organisation || !isSignedIn || !styles) return undefined
  if (!SNAPSHOT_PATHS.has(location.pathname) || location.search !== '' || scrollY > 0)
    return undefined
  if (document.querySelector('[role$=dialog]') || !root.querySelector('main a[href]'))
    return undefined
  const copy = root.cloneNode(true) as HTMLElement
  const rows = copy.querySelectorAll(ROWS)
  // Content below the window only slows the snapshot down. An on-screen keyboard may have shrunk the
  // window, so the screen's height counts.
  const end = Math.max(innerHeight, screen.height)
  root.querySelectorAll(ROWS).forEach((row, index) => {
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
