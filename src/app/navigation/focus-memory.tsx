import { useEffect, useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'
import { sync } from '../../sync/client.ts'
import { recoverLostFocus } from './lost-focus.ts'

/** How long to wait after going back until the screen has rendered the link again. */
const FOCUS_TIMEOUT_MS = 1_000
/** How long to look for the heading of a screen that loads slowly. */
const HEADING_TIMEOUT_MS = 10_000

/**
 * Remembers, for each history entry, the link that was followed from it, and focuses it again when the
 * user goes back, also to the entry at which the app was opened. Where that is not known (after a reload, by
 * the palette), it is the link to the record that was left, else the heading. Browsers do this for
 * documents, not for client-side routes. Also recovers a focus that is lost on a screen.
 */
export function FocusMemory() {
  const { key, pathname, search } = useLocation()
  const type = useNavigationType()
  const lastLinks = useRef(new Map<string, string>())
  const started = useRef(key)
  const hasMoved = useRef(false)
  const left = useRef(pathname + search)

  useEffect(recoverLostFocus, [])

  useEffect(() => {
    const remember = (event: Event) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null
      const href = link?.getAttribute('href')
      if (href != null) lastLinks.current.set(key, href)
    }
    document.addEventListener('click', remember, { capture: true })
    return () => document.removeEventListener('click', remember, { capture: true })
  }, [key])

  // Before any key can reach the screen: what the user focuses after that keeps the focus.
  useLayoutEffect(() => {
    // The first screen is reached by a pop as well, and leaves the focus to the browser.
    hasMoved.current ||= key !== started.current
    const from = left.current
    left.current = pathname + search
    if (type !== NavigationType.Pop || !hasMoved.current) return undefined
    const followed = lastLinks.current.get(key) ?? (isDeeper(from, pathname) ? from : undefined)
    const href = followed && withPresentId(followed)
    let before = document.activeElement
    const start = performance.now()
    let frame = 0
    let isFirst = true
    const returnFocus = () => {
      const elapsedMs = performance.now() - start
      const focused = document.activeElement
      // The user, or a dialog, was faster. The body and `main` have it when the link was removed.
      if (focused !== before && !focused?.matches('body, main')) return
      // The first frame can be late.
      if (href !== undefined && (isFirst || elapsedMs < FOCUS_TIMEOUT_MS)) {
        isFirst = false
        // A list may render again after its first rows, and the focused row is then lost.
        const isLost = focused !== before || !focused?.matches(linkTo(href))
        if (isLost && focusFirst(linkTo(href))) before = document.activeElement
      } else if (
        (href !== undefined && focused?.matches(linkTo(href))) ||
        focusFirst('h1[tabindex="-1"]') ||
        elapsedMs > HEADING_TIMEOUT_MS
      )
        return
      frame = requestAnimationFrame(returnFocus)
    }
    frame = requestAnimationFrame(returnFocus)
    return () => cancelAnimationFrame(frame)
  }, [key, type, pathname, search])

  return null
}

/** The path with the id that the server has given a record meanwhile. */
const withPresentId = (path: string): string =>
  path.replace(/[\da-f-]{36}/, (id) => sync().aliases.get().get(id)?.id ?? id)

/** Whether a path leads from a list to one of its records, or from the start to either. */
const isDeeper = (path: string, than: string): boolean => depthOf(path) > depthOf(than)
const depthOf = (path: string) => path.split('?')[0]?.split('/').filter(Boolean).length ?? 0

const linkTo = (href: string) => `a[href="${CSS.escape(href)}"]`

/** Focuses the first match that can take the focus: the same link may also be in a hidden menu. */
function focusFirst(selector: string): boolean {
  return [...document.querySelectorAll<HTMLElement>(selector)].some((element) => {
    element.focus({ preventScroll: true })
    return document.activeElement === element
  })
}
