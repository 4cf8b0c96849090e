import { useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

/** How long a screen that was gone back to may take to draw the link again. Milliseconds. */
const FOCUS_TIMEOUT_MS = 1_000

/**
 * Remembers, for each entry of the history, the link that led on from it, and gives it the focus
 * when one comes back. The browser does so for pages, but not for screens of one page.
 */
export function FocusMemory() {
  const { key } = useLocation()
  const type = useNavigationType()
  const lastLinks = useRef(new Map<string, string>())
  const started = useRef(key)

  useEffect(() => {
    const remember = (event: Event) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null
      const href = link?.getAttribute('href')
      if (href != null) lastLinks.current.set(key, href)
    }
    document.addEventListener('click', remember, { capture: true })
    return () => document.removeEventListener('click', remember, { capture: true })
  }, [key])

  useEffect(() => {
    if (type !== NavigationType.Pop || started.current === key) return undefined
    const href = lastLinks.current.get(key)
    const deadline = performance.now() + FOCUS_TIMEOUT_MS
    let frame = 0
    const focusLink = () => {
      const link =
        href === undefined
          ? null
          : document.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`)
      if (link) link.focus({ preventScroll: true })
      else if (performance.now() < deadline) frame = requestAnimationFrame(focusLink)
      else document.querySelector<HTMLElement>('h1[tabindex="-1"]')?.focus({ preventScroll: true })
    }
    frame = requestAnimationFrame(focusLink)
    return () => cancelAnimationFrame(frame)
  }, [key, type])

  return null
}
