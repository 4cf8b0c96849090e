import { useState } from 'react'
import { activeScope } from '../../../sync/react/query-options.ts'
import { useDraft } from '../../../sync/react/use-draft.ts'

/** The update posted on a plan in this run. */
export interface PostedUpdate {
  /** The update's id. */
  id: string
  body: string
}

/** A run through the plans; stored as a draft. */
export interface ReviewRun {
  /** The plans in order; fixed when the run starts, even if a plan no longer needs an update. */
  ids: readonly string[]
  /** Index of the current plan; the length of `ids` when all are done. */
  at: number
  said: Readonly<Record<string, PostedUpdate>>
}

/**
 * A review run, stored as a draft so that it survives a closed page. `saved` is an earlier unfinished
 * run: undefined while it is being read, null if there is none.
 */
export function useReviewRun() {
  const draft = useDraft(`review:${activeScope().organisation_id}`)
  const [run, setRun] = useState<ReviewRun>()
  const saved = draft.restored === undefined ? undefined : readRun(draft.restored)

  function change(to: ReviewRun) {
    setRun(to)
    // A finished run cannot be resumed.
    if (to.at >= to.ids.length) draft.clear()
    else draft.save(JSON.stringify(to))
  }
  const step = (by: 1 | -1) =>
    run && change({ ...run, at: Math.min(run.ids.length, Math.max(0, run.at + by)) })

  return {
    run,
    saved,
    start: (ids: readonly string[]) => change({ ids, at: 0, said: {} }),
    resume: (before: ReviewRun) => change(before),
    recordPosted: (plan_id: string, update: PostedUpdate) =>
      run && change({ ...run, at: run.at + 1, said: { ...run.said, [plan_id]: update } }),
    next: () => step(1),
    back: () => step(-1),
  }
}

function readRun(text: string | null): ReviewRun | null {
  try {
    const { ids, at, said } = JSON.parse(text ?? '') as ReviewRun
    return Array.isArray(ids) && at < ids.length && typeof said === 'object'
      ? { ids, at, said }
      : null
  } catch {
    return null
  }
}
