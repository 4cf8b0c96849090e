import { useEffect } from 'react'

/**
 * Keeps the height that an on-screen keyboard covers in the CSS variable `--keyboard-height`, while
 * `watched`. Zero where the browser makes the page smaller instead, as the viewport in `index.html` asks.
 */
export function useKeyboardHeight(watched: boolean): void {
  useEffect(() => {
    const viewport = watched ? window.visualViewport : null
    if (!viewport) return undefined
    const { style } = document.documentElement
    const measure = () => {
      const covered = innerHeight - viewport.height * viewport.scale - viewport.offsetTop
      style.setProperty('--keyboard-height', `${Math.max(0, Math.round(covered))}px`)
    }
    measure()
    viewport.addEventListener('resize', measure)
    viewport.addEventListener('scroll', measure)
    return () => {
      viewport.removeEventListener('resize', measure)
      viewport.removeEventListener('scroll', measure)
      style.removeProperty('--keyboard-height')
    }
  }, [watched])
}
