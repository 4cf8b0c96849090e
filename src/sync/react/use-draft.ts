import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { draftKey, loadDraft, saveDraft, saveDraftOnUnload } from './drafts.ts'

const DEBOUNCE_MS = 300
const LOAD_TIMEOUT_MS = 3_000

/**
 * Keeps what is typed under `key`, per user, through reloads, updates and a forced sign-out: saved
 * a moment after the last keystroke and when the page is left. `restored` is what was kept:
 * undefined while that is not known, null when there was nothing.
 */
export function useDraft(key: string) {
  const [restored, setRestored] = useState<string | null>()
  /** What was typed last, until it is kept: a page that goes meanwhile keeps it once more. */
  const unsaved = useRef<{
    draft: string[] | undefined
    text: string
    timer?: ReturnType<typeof setTimeout>
  }>(undefined)

  const hasTyped = useRef(false)

  // Whose it is, is known from the beginning: at the end nobody may be signed in any more.
  const draft = useMemo(() => draftKey(key), [key])

  const flush = useCallback((save: typeof saveDraft) => {
    const pending = unsaved.current
    clearTimeout(pending?.timer)
    if (!pending?.draft) return
    void save(pending.draft, pending.text).then(() => {
      if (unsaved.current === pending) unsaved.current = undefined
    })
  }, [])

  useEffect(() => {
    let mounted = true
    const show = (text: string | null) =>
      mounted &&
      setRestored((known) => (hasTyped.current ? (known ?? null) : (text ?? known ?? null)))
    void (draft ? loadDraft(draft) : Promise.resolve(undefined)).then((text) => show(text ?? null))
    // Storage that hangs must not keep anybody from writing. What it says late counts until somebody does.
    const timer = setTimeout(show, LOAD_TIMEOUT_MS, null)
    const flushOnUnload = () => flush(saveDraftOnUnload)
    window.addEventListener('pagehide', flushOnUnload)
    return () => {
      mounted = false
      clearTimeout(timer)
      window.removeEventListener('pagehide', flushOnUnload)
      flush(saveDraft)
    }
  }, [draft, flush])

  const save = useCallback(
    (text: string) => {
      hasTyped.current = true
      clearTimeout(unsaved.current?.timer)
      unsaved.current = { draft, text, timer: setTimeout(flush, DEBOUNCE_MS, saveDraft) }
    },
    [draft, flush],
  )
  const clear = useCallback(() => {
    hasTyped.current = true
    clearTimeout(unsaved.current?.timer)
    unsaved.current = { draft, text: '' }
    flush(saveDraft)
  }, [draft, flush])

  return { restored, save, clear }
}
