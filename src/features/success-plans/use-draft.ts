import { useCallback, useEffect, useRef, useState } from 'react'
import { clearDraft, loadDraft, saveDraft } from '../../sync/drafts.ts'

const PAUSE_MS = 300
const PATIENCE_MS = 400

/**
 * Keeps what is typed under `key`, per user, through reloads, updates and a forced sign-out: saved
 * a moment after the last keystroke and when the page is left. `restored` is what was kept:
 * undefined while that is not known, null when there was nothing.
 */
export function useDraft(key: string) {
  const [restored, setRestored] = useState<string | null>()
  const waiting = useRef<{ text: string; timer: ReturnType<typeof setTimeout> }>(undefined)

  const flush = useCallback(() => {
    if (!waiting.current) return
    clearTimeout(waiting.current.timer)
    const { text } = waiting.current
    waiting.current = undefined
    void saveDraft(key, text)
  }, [key])

  useEffect(() => {
    let here = true
    const show = (text?: string) =>
      here && setRestored((known) => (known === undefined ? (text ?? null) : known))
    void loadDraft(key).then(show)
    // Storage that hangs must not keep anybody from writing.
    const timer = setTimeout(show, PATIENCE_MS)
    window.addEventListener('pagehide', flush)
    return () => {
      here = false
      clearTimeout(timer)
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [key, flush])

  const save = useCallback(
    (text: string) => {
      clearTimeout(waiting.current?.timer)
      waiting.current = { text, timer: setTimeout(flush, PAUSE_MS) }
    },
    [flush],
  )
  const clear = useCallback(() => {
    clearTimeout(waiting.current?.timer)
    waiting.current = undefined
    void clearDraft(key)
  }, [key])

  return { restored, save, clear }
}
