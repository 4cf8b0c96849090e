import type { PlanStatus } from '../../../contract/values.ts'
import { transitionMessages as messages } from './plan-messages.ts'

/** The label of a transition, which depends on the current status. */
export function transitionName(from: string, to: PlanStatus): string {
  if (to !== 'in-progress' || from === 'planned') return messages.to[to]
  return from === 'paused' ? messages.resume : messages.reopen
}
