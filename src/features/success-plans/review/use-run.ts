import { useEffect, useMemo, useRef, useState } from 'react'
import { useCurrentIds } from '../../../data/record-id.ts'
import { sameDay } from '../../../ui/text/dates.ts'
import { sync } from '../../../sync/client.ts'
import { activeScope } from '../../../sync/react/query-options.ts'
import { useDraft } from '../../../sync/react/use-draft.ts'

/** An update posted on a plan in this run. */
export interface PostedUpdate {
  /** The update's id. */
  id: string
  /** Epoch milliseconds, device clock. Absent in runs of earlier builds. */
  at?: number
  body: string
  /** Made with one press: it can be undone from the review. */
  quick?: true
}

/** A change other than an update: an action, a date, the status, the owner. */
export interface MovedStep {
  /** Id of the record that it made, or else of its operation. Undefined if it became part of another one. */
  id: string | undefined
  /** When its operation was queued, which a correction keeps. Absent in runs of earlier builds. */
  queued?: string | undefined
  at?: number
  plan_id: string
  /** What has changed, as the summary words it. */
  text: string
}

/** A run through the plans; stored as a draft. */
export interface ReviewRun {
  /** The plans in order; fixed when the run starts, even if a plan no longer needs an update. */
  ids: readonly string[]
  /** Index of the current plan; the length of `ids` when all are done. */
  at: number
  /** By plan, in the order of posting. */
  posted: Readonly<Record<string, readonly PostedUpdate[]>>
  /** In the order of saving. */
  moved: readonly MovedStep[]
  /** When the last plan was left: epoch milliseconds, device clock. */
  ended?: number
}

/** Whether all plans of the run are done. */
export const isRunOver = ({ ids, at }: ReviewRun): boolean => at >= ids.length

/** Whether the run has posted or changed anything on that plan. */
export const hasSteps = ({ posted, moved }: ReviewRun, plan_id: string): boolean =>
  posted[plan_id] !== undefined || moved.some((step) => step.plan_id === plan_id)

/** The id that a plan has now, also before that is rendered. */
const currentId = (id: string): string => sync().aliases.get().get(id)?.id ?? id

/** The run with the ids that its plans have now. */
const withIds = (run: ReviewRun, idNow: (id: string) => string): ReviewRun => ({
  ...run,
  ids: run.ids.map(idNow),
  posted: Object.fromEntries(
    Object.entries(run.posted).map(([id, updates]) => [idNow(id), updates]),
  ),
  moved: run.moved.map((step) => ({ ...step, plan_id: idNow(step.plan_id) })),
})

/**
 * Saves what is typed in a field that saves when it is left: React does not tell a field that it is removed. Returns
 * whether all days are valid; focuses one that is not.
 */
function leaveField(): boolean {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  const days = document.querySelectorAll<HTMLInputElement>('[data-day] input')
  const wrong = [...days].find(({ validity }) => !validity.valid)
  wrong?.focus()
  return !wrong
}

const lastRun = (_: string, run: string) => run

/**
 * A review run, stored as a draft so that it survives a closed page. `saved` is an earlier unfinished
 * run: undefined while it is being read, null if there is none.
 */
export function useReviewRun() {
  const draft = useDraft(`review:${activeScope().organisation_id}`, lastRun)
  const [started, setRun] = useState<ReviewRun>()
  const idNow = useCurrentIds()
  const run = useMemo(() => started && withIds(started, idNow), [started, idNow])
  const saved = draft.restored === undefined ? undefined : readRun(draft.restored)
  // A step is saved after the press, when another one may have changed the run.
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  // Before the router's listener.
  useEffect(() => {
    window.addEventListener('popstate', leaveField, true)
    return () => window.removeEventListener('popstate', leaveField, true)
  }, [])

  function start(to: ReviewRun) {
    latest.current = to
    setRun(to)
    // The summary of a finished run survives a reload as well.
    const { posted: said, ...rest } = to
    draft.save(JSON.stringify({ ...rest, said, ...(isRunOver(to) && { ended: Date.now() }) }))
  }
  function change(by: (run: ReviewRun) => Partial<ReviewRun>) {
    if (!latest.current) return
    const before = withIds(latest.current, currentId)
    const after = { ...before, ...by(before) }
    // Gone with its plan, a day that is not valid would be lost without a word.
    start(after.at === before.at || leaveField() ? after : { ...after, at: before.at })
  }
  const step = (by: 1 | -1) =>
    change(({ ids, at }) => ({ at: Math.min(ids.length, Math.max(0, at + by)) }))

  return {
    run,
    saved,
    start: (ids: readonly string[]) => start({ ids, at: 0, posted: {}, moved: [] }),
    resume: start,
    recordPosted: (plan_id: string, update: PostedUpdate) =>
      change(({ ids, posted }) => {
        const id = currentId(plan_id)
        const updates = [...(posted[id] ?? []), { ...update, at: Date.now() }]
        return { at: ids.indexOf(id) + 1, posted: { ...posted, [id]: updates } }
      }),
    recordMoved: (moved: MovedStep) => {
      const queued = sync()
        .operations.get()
        .find(({ id }) => id === moved.id)?.created_at
      change((before) => ({ moved: [...before.moved, { ...moved, queued, at: Date.now() }] }))
    },
    /** Removes steps that were undone; `plan_id` is the plan to go back to. */
    forget: (ids: readonly string[], plan_id?: string) =>
      change((before) => ({
        at: plan_id === undefined ? before.at : before.ids.indexOf(currentId(plan_id)),
        posted: Object.fromEntries(
          Object.entries(before.posted).flatMap(([of, updates]) => {
            const left = updates.filter(({ id }) => !ids.includes(id))
            return left.length === 0 ? [] : [[of, left]]
          }),
        ),
        moved: before.moved.filter(({ id }) => id === undefined || !ids.includes(id)),
      })),
    /** An update of the run was corrected elsewhere. */
    reword: (id: string, body: string) =>
      change(({ posted }) => ({
        posted: Object.fromEntries(
          Object.entries(posted).map(([of, updates]) => [
            of,
            updates.map((one) => (one.id === id ? { ...one, body } : one)),
          ]),
        ),
      })),
    next: () => step(1),
    back: () => step(-1),
  }
}

function readRun(text: string | null): ReviewRun | null {
  try {
    const {
      ids,
      at,
      said,
      moved = [],
      ended,
    } = JSON.parse(text ?? '') as Omit<ReviewRun, 'moved' | 'posted'> &
      Partial<ReviewRun> & { said: Record<string, PostedUpdate | PostedUpdate[]> }
    if (!Array.isArray(ids) || typeof said !== 'object') return null
    // Earlier builds kept one update of each plan.
    const posted = Object.fromEntries(
      Object.entries(said).map(([plan_id, updates]) => [plan_id, [updates].flat()]),
    )
    const run = { ids, at, posted, moved }
    // A summary is of its day.
    return !isRunOver(run) || (ended !== undefined && sameDay(ended, Date.now())) ? run : null
  } catch {
    return null
  }
}
