import { useLayoutEffect } from 'react'

/** The frame of the app goes while a screen that calls this is there. */
export function useFullscreen(): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    dataset['alone'] = ''
    return () => void delete dataset['alone']
  }, [])
}
