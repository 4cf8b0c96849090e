import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { newId } from '../browser/new-id.ts'
import { draftKey, loadDrafts, saveDraft, saveDraftOnUnload, type Draft } from './drafts.ts'

const DEBOUNCE_MS = 300
const LOAD_TIMEOUT_MS = 3_000

const textInFront = (late: string, typed: string) => `${late}\n\n${typed}`

/** The text of all; null without any. */
const joined = (drafts: readonly Draft[], inFront: typeof textInFront): string | null =>
  drafts.length === 0
    ? null
    : drafts.map(([, text]) => text).reduce((one, other) => inFront(one, other))

/**
 * Stores typed text as a draft named `name`: 300 ms after the last `save`, and when the page or the
 * component goes away. `clear` deletes it. `submit` runs a save with the draft's key, to be deleted in the
 * same transaction; the draft is stored before, and stays when the save fails. Saves run one after the other;
 * what is typed meanwhile is stored after them. `restored` is the stored draft: undefined until it is read (at
 * most three seconds), null without one. Without a name nothing is stored.
 *
 * Each form stores a draft of its own. Those that were stored before are restored together, each `inFront` of the next,
 * and replaced by the form's own when it is changed or submitted. What another form stores later, or was read after
 * something was typed, is left to the next form of this name.
 */
export function useDraft(name: string | undefined, inFront = textInFront) {
  const [restored, setRestored] = useState<string | null>()
  const [form] = useState(newId)
  /** The last text until it is stored; a page that is unloaded meanwhile stores it again. */
  const unsaved = useRef<{
    draft: string[] | undefined
    text: string
    timer?: ReturnType<typeof setTimeout>
  }>(undefined)

  /** Whether something was typed or submitted. */
  const isUsed = useRef(false)
  /** The drafts that are restored, until the form's own replaces them. */
  const earlier = useRef<readonly Draft[]>([])
  const latest = useRef('')
  /** Counts the changes of the text, so that a save knows whether more was typed meanwhile. */
  const changes = useRef(0)
  const submissions = useRef<Promise<unknown>>(Promise.resolve())
  const submitting = useRef(0)
  /** Counts what was stored, so that a finished save knows whether the draft may be there again. */
  const flushes = useRef(0)

  // Determined at the start: at the end the user may be signed out.
  const draft = useMemo(() => (name === undefined ? undefined : draftKey(name, form)), [name, form])

  const flush = useCallback(async (save: typeof saveDraft): Promise<void> => {
    const pending = unsaved.current
    clearTimeout(pending?.timer)
    if (!pending?.draft) return
    flushes.current += 1
    const replaces = earlier.current
    const isLatest = () => unsaved.current === pending
    if (!(await save(pending.draft, pending.text, replaces, isLatest))) return
    if (earlier.current === replaces) earlier.current = []
    if (isLatest()) unsaved.current = undefined
  }, [])

  useEffect(() => {
    let mounted = true
    const show = (text: string | null) =>
      mounted &&
      setRestored((known) => (isUsed.current ? (known ?? null) : (text ?? known ?? null)))
    void (draft ? loadDrafts(draft) : Promise.resolve([])).then((drafts) => {
      if (!isUsed.current) earlier.current = drafts
      show(joined(drafts, inFront))
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
  }, [draft, flush, inFront])

  /** Stores `text` after `delayMs` milliseconds. While a save runs, which deletes the draft, after it. */
  const change = useCallback(
    (text: string, delayMs: number) => {
      isUsed.current = true
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
      isUsed.current = true
      // Stored before, or a page that goes away during the save would store what the save has deleted. The
      // save does not wait for it: the database runs the two in this order.
      const run = async () => {
        // What was restored and not changed is not the form's own yet.
        const text = joined(earlier.current, inFront)
        if (text) unsaved.current ??= { draft, text }
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
    [draft, flush, finishSubmission, inFront],
  )

  return { key: draft, restored, save, clear, submit }
}
