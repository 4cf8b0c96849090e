import { useEffect } from 'react'

/** The height of a bar above the navigation of a phone, and of that. */
const COVERED = 'calc(8rem + var(--safe-bottom))'

/** Keeps what takes the focus out from under such a bar while it is shown. */
export function useScrollPadding(isShown: boolean): void {
  useEffect(() => {
    if (!isShown) return undefined
    const { style } = document.documentElement
    style.scrollPaddingBlockEnd = COVERED
    return () => void style.removeProperty('scroll-padding-block-end')
  }, [isShown])
}
