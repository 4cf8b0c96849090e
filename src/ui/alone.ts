import { useLayoutEffect } from 'react'

/** The frame of the app goes while a screen that calls this is there. */
export function useAlone(): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    dataset['alone'] = ''
    return () => void delete dataset['alone']
  }, [])
}
