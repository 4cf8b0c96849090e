import { isBehind, isPlanOpen } from '../../../contract/rules.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'

/** How a plan's progress looks: warm while it lags behind the time gone, grey when the plan is over. */
export const progressTone = (plan: SuccessPlan, today: string): 'muted' | 'glow' | 'accent' =>
  !isPlanOpen(plan) ? 'muted' : isBehind(plan, today) ? 'glow' : 'accent'
