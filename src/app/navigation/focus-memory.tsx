import { useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

/** How long to wait after going back until the screen has rendered the link again. */
const FOCUS_TIMEOUT_MS = 1_000

/**
 * Remembers, for each history entry, the link that was followed from it, and focuses it again when the
 * user goes back. Browsers do this for documents, not for client-side routes.
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
