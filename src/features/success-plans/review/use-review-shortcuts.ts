import { useEffect, useRef, type TouchEvent } from 'react'

interface ReviewShortcuts {
  onNext: () => void
  onBack: () => void
  onNoChange: () => void
}

/** Minimum length of a mostly horizontal swipe, in pixels. */
const MIN_SWIPE_PX = 70

/** Targets where arrow keys and swipes already have a meaning. */
const IGNORED_TARGETS = 'input, textarea, select, [contenteditable], [role=menu], [role$=dialog]'

/**
 * Navigates by keys and swipes, as shortcuts for the buttons. Arrow keys work where nothing else uses
 * them; Ctrl or Command + Shift + Enter posts "no change" from anywhere. Returns touch handlers for the
 * swipeable element. A held key does it once.
 */
export function useReviewShortcuts(moves: ReviewShortcuts) {
  const latest = useRef(moves)
  useEffect(() => {
    latest.current = moves
  })

  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, shiftKey, altKey, repeat } = event
      const { onNext, onBack, onNoChange } = latest.current
      if (event.defaultPrevented || document.querySelector('[role$=dialog]')) return
      if (key === 'Enter' && shiftKey && (ctrlKey || metaKey)) {
        event.preventDefault()
        if (!repeat) onNoChange()
        return
      }
      if (repeat || ctrlKey || metaKey || shiftKey || altKey) return
      if (target instanceof Element && target.closest(IGNORED_TARGETS)) return
      if (key === 'ArrowRight') onNext()
      if (key === 'ArrowLeft') onBack()
    }
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [])

  const touchStart = useRef<{ x: number; y: number }>(undefined)
  return {
    onTouchStart: ({ touches, target }: TouchEvent) => {
      const finger = touches.item(0)
      const isFree =
        touches.length === 1 && target instanceof Element && !target.closest(IGNORED_TARGETS)
      touchStart.current = finger && isFree ? { x: finger.clientX, y: finger.clientY } : undefined
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const finger = changedTouches.item(0)
      const from = touchStart.current
      touchStart.current = undefined
      if (!from || !finger) return
      const [across, down] = [finger.clientX - from.x, finger.clientY - from.y]
      if (Math.abs(across) < MIN_SWIPE_PX || Math.abs(across) < 2 * Math.abs(down)) return
      if (across < 0) latest.current.onNext()
      else latest.current.onBack()
    },
  }
}
