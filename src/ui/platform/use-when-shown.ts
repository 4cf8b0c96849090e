import { useCallback, useEffect, useRef, useState } from 'react'

/**
 * Returns a function that runs what follows a call, as leading to a new record, only where its user still is: at once
 * while the component is shown, with its result; when it is shown again, as in a list that is kept behind its records;
 * never once it is gone.
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
