import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { draftKey, loadDraft, saveDraft, saveDraftOnUnload } from './drafts.ts'

const DEBOUNCE_MS = 300
const LOAD_TIMEOUT_MS = 3_000

const textInFront = (late: string, typed: string) => `${late}\n\n${typed}`

/**
 * Stores typed text as a draft named `name`: 300 ms after the last `save`, and when the page or the
 * component goes away. `clear` deletes it. `submit` runs a save with the draft's key, to be deleted in the
 * same transaction; the draft is stored before, and stays when the save fails. Saves run one after the other;
 * what is typed meanwhile is stored after them. `restored` is the stored draft: undefined until it is read (at
 * most three seconds), null without one. Without a name nothing is stored.
 *
 * Nothing is stored before the draft is read. If something was typed by then, the draft is put `inFront` of it. The
 * draft then stays when the text is saved, and the next form of this name offers it.
 */
export function useDraft(name: string | undefined, inFront = textInFront) {
  const [restored, setRestored] = useState<string | null>()
  /** The last text until it is stored; a page that is unloaded meanwhile stores it again. */
  const unsaved = useRef<{
    draft: string[] | undefined
    text: string
    timer?: ReturnType<typeof setTimeout>
  }>(undefined)

  const hasTyped = useRef(false)
  const isRead = useRef(false)
  /** The draft that was read after something was typed. */
  const late = useRef('')
  const latest = useRef('')
  /** Counts the changes of the text, so that a save knows whether more was typed meanwhile. */
  const changes = useRef(0)
  const submissions = useRef<Promise<unknown>>(Promise.resolve())
  const submitting = useRef(0)
  /** Counts what was stored, so that a finished save knows whether the draft may be there again. */
  const flushes = useRef(0)

  // Determined at the start: at the end the user may be signed out.
  const draft = useMemo(() => (name === undefined ? undefined : draftKey(name)), [name])

  const flush = useCallback(
    async (save: typeof saveDraft): Promise<void> => {
      const pending = unsaved.current
      clearTimeout(pending?.timer)
      // Only a page that is unloaded stores before the draft is read: it cannot wait.
      if (!pending?.draft || (!isRead.current && save === saveDraft)) return
      flushes.current += 1
      const before = late.current
      await save(
        pending.draft,
        before && pending.text ? inFront(before, pending.text) : before || pending.text,
      )
      if (unsaved.current === pending) unsaved.current = undefined
    },
    [inFront],
  )

  useEffect(() => {
    let mounted = true
    const show = (text: string | null) =>
      mounted &&
      setRestored((known) => (hasTyped.current ? (known ?? null) : (text ?? known ?? null)))
    isRead.current = false
    late.current = ''
    void (draft ? loadDraft(draft) : Promise.resolve(undefined)).then((text) => {
      isRead.current = true
      if (hasTyped.current) late.current = text ?? ''
      if (submitting.current === 0) void flush(saveDraft)
      show(text ?? null)
    })
    // Storage that hangs must not block typing. A late draft is shown unless something was typed.
    const timer = setTimeout(show, LOAD_TIMEOUT_MS, null)
    const flushOnUnload = () => void flush(saveDraftOnUnload)
    window.addEventListener('pagehide', flushOnUnload)
    return () => {
      mounted = false
      clearTimeout(timer)
      window.removeEventListener('pagehide', flushOnUnload)
      void flush(saveDraft)
    }
  }, [draft, flush])

  /** Stores `text` after `delayMs` milliseconds. While a save runs, which deletes the draft, after it. */
  const change = useCallback(
    (text: string, delayMs: number) => {
      hasTyped.current = true
      latest.current = text
      changes.current += 1
      clearTimeout(unsaved.current?.timer)
      unsaved.current = { draft, text }
      if (submitting.current > 0) return
      if (delayMs === 0) void flush(saveDraft)
      else unsaved.current.timer = setTimeout(() => void flush(saveDraft), delayMs)
    },
    [draft, flush],
  )
  const save = useCallback((text: string) => change(text, DEBOUNCE_MS), [change])
  const clear = useCallback(() => change('', 0), [change])

  const finishSubmission = useCallback(
    (isTyped: boolean, isSaved: boolean, isStored: boolean) => {
      submitting.current -= 1
      if (isTyped || isSaved) unsaved.current = { draft, text: isTyped ? latest.current : '' }
      // What the save has deleted is not there again: no hurry while the screen shows that it is saved.
      if (isTyped || !isSaved || isStored || !unsaved.current) void flush(saveDraft)
      else unsaved.current.timer = setTimeout(() => void flush(saveDraft), DEBOUNCE_MS)
    },
    [draft, flush],
  )

  const submit = useCallback(
    async <T>(work: (key: string[] | undefined) => Promise<T>): Promise<T> => {
      const submitted = changes.current
      let stored = flushes.current
      submitting.current += 1
      // Stored before, or a page that goes away during the save would store what the save has deleted. The
      // save does not wait for it: the database runs the two in this order.
      const run = async () => {
        const flushed = flush(saveDraft)
        stored = flushes.current
        const saved = await work(draft)
        await flushed
        return saved
      }
      const result = submissions.current.then(run, run)
      submissions.current = result
      let isSaved = false
      await result.then(
        () => (isSaved = true),
        () => undefined,
      )
      finishSubmission(changes.current !== submitted, isSaved, flushes.current !== stored)
      return await result
    },
    [draft, flush, finishSubmission],
  )

  return { key: draft, restored, save, clear, submit }
}
