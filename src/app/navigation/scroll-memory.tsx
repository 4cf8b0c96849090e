import { useEffect, useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

const STORAGE_KEY = 'scrolled'

/**
 * A new place begins at its top; going back leads to where one was. Kept for the tab, so that a reload
 * finds it as well.
 */
export function ScrollMemory() {
  const { key, pathname } = useLocation()
  const type = useNavigationType()
  const entry = useRef(key)
  const shown = useRef(pathname)
  const positions = useRef<Map<string, number>>(undefined)
  positions.current ??= readPositions()

  useEffect(() => {
    const recordPosition = () => void positions.current?.set(entry.current, scrollY)
    const savePositions = () => {
      try {
        sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...(positions.current ?? [])]))
      } catch {
        // Storage is forbidden here: a reload begins at the top.
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

  // Before the first frame of the new place is painted.
  useLayoutEffect(() => {
    const isNew = shown.current !== pathname
    shown.current = pathname
    entry.current = key
    if (type !== NavigationType.Pop) {
      if (isNew) scrollTo(0, 0)
      return undefined
    }
    const wanted = positions.current?.get(key) ?? 0
    scrollTo(0, wanted)
    // A list learns how long it is from its first rows.
    if (scrollY >= wanted) return undefined
    const frame = requestAnimationFrame(() => scrollTo(0, wanted))
    return () => cancelAnimationFrame(frame)
  }, [key, pathname, type])

  return null
}

function readPositions(): Map<string, number> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as [string, number][])
  } catch {
    return new Map()
  }
}
