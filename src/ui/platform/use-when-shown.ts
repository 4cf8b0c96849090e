import { useCallback, useEffect, useRef, useState } from 'react'

/**
 * Returns a function for what follows a call, such as opening a new record. It runs `follow` at once and returns its
 * result while the component is shown; later, when a hidden component is shown again (a list that is kept behind its
 * records); and never once the component is gone.
 */
export function useWhenShown(): <T>(follow: () => T) => T | undefined {
  const isShown = useRef(false)
  const waiting = useRef<() => unknown>(undefined)
  useEffect(() => {
    isShown.current = true
    waiting.current?.()
    waiting.current = undefined
    return () => {
      isShown.current = false
    }
  }, [])
  return useCallback((follow) => {
    if (isShown.current) return follow()
    waiting.current = follow
    return undefined
  }, [])
}

/** How often the calling component was hidden; the key of what is to begin again when it is shown again. */
export function useTimesHidden(): number {
  const [times, setTimes] = useState(0)
  useEffect(() => () => setTimes((before) => before + 1), [])
  return times
}
