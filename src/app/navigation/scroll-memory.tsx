import { useEffect, useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'
import { fnv1a } from '../../../contract/text/fnv.ts'

const STORAGE_KEY = 'scrolled'

/**
 * Scrolls to the top on a new screen and restores the position when going back. Stored per tab, so that
 * it survives a reload.
 */
export function ScrollMemory() {
  const { key, pathname, search } = useLocation()
  // The first entry of every document has the same key. The address has ids, which must not stay after a sign-out.
  const at = key + fnv1a(pathname + search)
  const type = useNavigationType()
  const entry = useRef(at)
  const shown = useRef(pathname)
  const positions = useRef<Map<string, number>>(undefined)
  /** Until it is aborted the position does not exist yet: where the screen is meanwhile is not remembered. */
  const growing = useRef<AbortSignal>(undefined)
  positions.current ??= readPositions()

  useEffect(() => {
    const recordPosition = () => {
      if (growing.current?.aborted !== false) positions.current?.set(entry.current, scrollY)
    }
    const savePositions = () => {
      // The event of the last scroll may not have come yet.
      recordPosition()
      try {
        sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...(positions.current ?? [])]))
      } catch {
        // Storage is blocked: a reload starts at the top.
      }
    }
    history.scrollRestoration = 'manual'
    addEventListener('scroll', recordPosition, { passive: true })
    addEventListener('pagehide', savePositions)
    return () => {
      history.scrollRestoration = 'auto'
      removeEventListener('scroll', recordPosition)
      removeEventListener('pagehide', savePositions)
    }
  }, [])

  // Before the new screen is painted.
  useLayoutEffect(() => {
    const isNew = shown.current !== pathname
    shown.current = pathname
    entry.current = at
    if (type !== NavigationType.Pop) {
      if (isNew) scrollTo(0, 0)
      // Another entry for the same screen may be left without a scroll.
      positions.current?.set(at, scrollY)
      return undefined
    }
    const wanted = positions.current?.get(at) ?? 0
    scrollTo(0, wanted)
    if (scrollY >= wanted) return undefined
    // A long list grows when its rows are measured, and at a start when all of it has been read.
    const ended = new AbortController()
    growing.current = ended.signal
    void import('./scroll-when-grown.ts')
      .then(({ scrollWhenGrown }) => scrollWhenGrown(wanted, ended))
      .catch(() => ended.abort())
    return () => ended.abort()
  }, [at, pathname, type])

  return null
}

function readPositions(): Map<string, number> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as [string, number][])
  } catch {
    return new Map()
  }
}
