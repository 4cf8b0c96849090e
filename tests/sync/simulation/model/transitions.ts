// Transitions of a plan in the model server, by the rules that the server shares with the app.
import {
  progressAtCompletion,
  requiredForTransition,
  transitionsFrom,
} from '../../../../contract/rules.ts'
import { repeatsStatus } from '../../../../contract/schemas/success-plans.ts'
import type { PlanStatus } from '../../../../contract/values.ts'

type Fields = Record<string, unknown>

/** The part of an update that may change a plan's status. */
export interface TransitionDraft {
  body?: string | undefined
  status?: string | undefined
  outcome?: string | undefined
  progress?: number | undefined
  health?: unknown
}

const targetOf = (plan: Fields, { status }: TransitionDraft): PlanStatus | undefined =>
  status === plan.status ? undefined : (status as PlanStatus | undefined)

/** Whether the server refuses the draft: a transition that is not allowed, or lacks a note or an outcome. */
export function isRefusedTransition(plan: Fields, draft: TransitionDraft): boolean {
  const to = targetOf(plan, draft)
  if (!to) return false
  const required = requiredForTransition(to)
  return (
    !transitionsFrom(String(plan.status)).includes(to) ||
    (required === 'note' && !draft.body) ||
    (required === 'outcome' && !draft.outcome)
  )
}

/** Whether the server refuses an update: its transition, or because it changes and says nothing. */
export const isRefusedUpdate = (plan: Fields, draft: TransitionDraft): boolean =>
  repeatsStatus(plan, draft) || isRefusedTransition(plan, draft)

/** The status that the draft sets, with what it brings; without a status another outcome of a completed plan. */
export function transitionOf(
  plan: Fields,
  draft: TransitionDraft,
): { set: Fields; progress: number | undefined; log: Fields } {
  const { body, outcome = '', progress } = draft
  const status = targetOf(plan, draft)
  const progressWith = (isEnd: boolean) =>
    isEnd ? progressAtCompletion(progress ?? Number(plan.progress), outcome) : progress
  if (!status) {
    const isCorrected =
      plan.status === 'completed' && !draft.status && ![plan.outcome, ''].includes(outcome)
    return {
      set: isCorrected ? { outcome, ...(body && { close_note: body }) } : {},
      progress: progressWith(isCorrected),
      log: { status_from: null, status_to: null },
    }
  }
  const isCompleted = status === 'completed'
  return {
    set: {
      status,
      outcome: isCompleted ? outcome : null,
      close_note: isCompleted || status === 'cancelled' ? body || null : null,
    },
    progress: progressWith(isCompleted),
    log: { status_from: plan.status, status_to: status },
  }
}
