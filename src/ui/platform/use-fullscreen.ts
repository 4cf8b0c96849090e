import { useLayoutEffect } from 'react'

/** Hides the app's frame while the calling screen is mounted. */
export function useFullscreen(): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    dataset['alone'] = ''
    return () => void delete dataset['alone']
  }, [])
}
