// Values of enumerated fields. Separate from the schemas, so that list filters load no schemas.

export const PLAN_STATUSES = ['planned', 'in-progress', 'paused', 'completed', 'cancelled'] as const
export type PlanStatus = (typeof PLAN_STATUSES)[number]
export const PLAN_TYPES = ['customer', 'project'] as const
export const HEALTHS = ['on-track', 'at-risk', 'off-track'] as const
export type Health = (typeof HEALTHS)[number]
export const OUTCOMES = ['achieved', 'partially-achieved', 'missed'] as const
export const CADENCES = [7, 14, 30] as const
