import { isBehind, isPlanOpen } from '../../../contract/rules.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'

/** Colour of a plan's progress: warm if it is behind schedule, grey if the plan is closed. */
export const progressTone = (plan: SuccessPlan, today: string): 'muted' | 'glow' | 'accent' =>
  !isPlanOpen(plan) ? 'muted' : isBehind(plan, today) ? 'glow' : 'accent'
