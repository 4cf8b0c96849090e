import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { draftOf, loadDraft, saveDraft, saveDraftLeaving } from './drafts.ts'

const PAUSE_MS = 300
const PATIENCE_MS = 3_000

/**
 * Keeps what is typed under `key`, per user, through reloads, updates and a forced sign-out: saved
 * a moment after the last keystroke and when the page is left. `restored` is what was kept:
 * undefined while that is not known, null when there was nothing.
 */
export function useDraft(key: string) {
  const [restored, setRestored] = useState<string | null>()
  /** What was typed last, until it is kept: a page that goes meanwhile keeps it once more. */
  const waiting = useRef<{
    draft: string[] | undefined
    text: string
    timer?: ReturnType<typeof setTimeout>
  }>(undefined)

  const typed = useRef(false)

  // Whose it is, is known from the beginning: at the end nobody may be signed in any more.
  const draft = useMemo(() => draftOf(key), [key])

  const flush = useCallback((save: typeof saveDraft) => {
    const last = waiting.current
    clearTimeout(last?.timer)
    if (!last?.draft) return
    void save(last.draft, last.text).then(() => {
      if (waiting.current === last) waiting.current = undefined
    })
  }, [])

  useEffect(() => {
    let here = true
    const show = (text: string | null) =>
      here && setRestored((known) => (typed.current ? (known ?? null) : (text ?? known ?? null)))
    void (draft ? loadDraft(draft) : Promise.resolve(undefined)).then((text) => show(text ?? null))
    // Storage that hangs must not keep anybody from writing. What it says late counts until somebody does.
    const timer = setTimeout(show, PATIENCE_MS, null)
    const leave = () => flush(saveDraftLeaving)
    window.addEventListener('pagehide', leave)
    return () => {
      here = false
      clearTimeout(timer)
      window.removeEventListener('pagehide', leave)
      flush(saveDraft)
    }
  }, [draft, flush])

  const save = useCallback(
    (text: string) => {
      typed.current = true
      clearTimeout(waiting.current?.timer)
      waiting.current = { draft, text, timer: setTimeout(flush, PAUSE_MS, saveDraft) }
    },
    [draft, flush],
  )
  const clear = useCallback(() => {
    typed.current = true
    clearTimeout(waiting.current?.timer)
    waiting.current = { draft, text: '' }
    flush(saveDraft)
  }, [draft, flush])

  return { restored, save, clear }
}
