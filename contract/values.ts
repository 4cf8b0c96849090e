// Values of enumerated fields. Separate from the schemas, so that list filters load no schemas.

export const PLAN_STATUSES = ['planned', 'in-progress', 'paused', 'completed', 'cancelled'] as const
export type PlanStatus = (typeof PLAN_STATUSES)[number]
export const PLAN_TYPES = ['customer', 'project'] as const
export const HEALTHS = ['on-track', 'at-risk', 'off-track'] as const
export type Health = (typeof HEALTHS)[number]
export const OUTCOMES = ['achieved', 'partially-achieved', 'missed'] as const
export const CADENCES = [7, 14, 30] as const
/** Those of plans that are neither completed nor cancelled. */
export const OPEN_STATUSES: readonly string[] = ['planned', 'in-progress', 'paused']

/** `written_at` of an update whose times could not be read. It is shown all the same. */
export const UNKNOWN_TIME = '1970-01-01T00:00:00.000Z'

/** `code` of a refused refresh: the user reported this device as lost, and it deletes its data. */
export const DEVICE_LOST = 'device_lost'

/** `code` of a 403: the organisation's plan allows no more of these records. */
export const PLAN_LIMIT_REACHED = 'plan_limit_reached'

/** `code` of a 403: confirm the password (`reauthenticate`) and repeat the call. */
export const REAUTHENTICATION_REQUIRED = 'reauthentication_required'
