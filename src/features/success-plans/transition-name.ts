import type { PlanStatus } from '../../../contract/values.ts'
import { transitionMessages as messages } from './plan-messages.ts'

/** What a transition is called from where the plan stands. */
export function transitionName(from: string, to: PlanStatus): string {
  if (to !== 'in-progress' || from === 'planned') return messages.to[to]
  return from === 'paused' ? messages.resume : messages.reopen
}
