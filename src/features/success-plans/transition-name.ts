import type { PlanStatus } from '../../../contract/values.ts'
import { transitionWords as words } from './plan-words.ts'

/** What a transition is called from where the plan stands. */
export function transitionName(from: string, to: PlanStatus): string {
  if (to !== 'in-progress' || from === 'planned') return words.to[to]
  return from === 'paused' ? words.resume : words.reopen
}
