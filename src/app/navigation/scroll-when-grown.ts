// Scrolls to a position that does not exist yet, as soon as the page is long enough.

/** A page that has not grown by then will not. Milliseconds. */
const TIMEOUT_MS = 5_000
/** What a user scrolls with: then the position is theirs. */
const TAKEN_OVER_BY = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/**
 * Scrolls to `top`, in CSS pixels, as the page grows. Aborts `ended` when it is there, when the user takes over and
 * after five seconds; does nothing more once that is aborted.
 */
export function scrollWhenGrown(top: number, ended: AbortController): void {
  const { signal } = ended
  const end = () => ended.abort()
  const observer = new ResizeObserver(() => {
    if (signal.aborted) return
    scrollTo(0, top)
    if (scrollY >= Math.floor(top)) end()
  })
  observer.observe(document.documentElement)
  const timer = setTimeout(end, TIMEOUT_MS)
  for (const type of TAKEN_OVER_BY) addEventListener(type, end, { passive: true, signal })
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    observer.disconnect()
  })
}
