// The user's absence, and what of it was read. An absence is a range of versions: from the replica's version
// when the user was last active to its version after the first complete pull since then. Pure.
import { sameDay } from '../../ui/text/dates.ts'

/** Stored on the device per user and organisation. */
export interface Absence {
  /** Changes with versions in `(from, to]` arrived during the absence. */
  from: number
  to: number
  /** When the user was last active and connected, in epoch milliseconds. */
  at: number
  /** Up to which version each plan opened since then has been read. */
  read: Readonly<Record<string, number>>
}

/** A gap longer than this counts as an absence. */
const HOUR_MS = 60 * 60_000

/**
 * The new state after a complete pull at `at` (epoch milliseconds) that brought the replica to
 * `version`. The first pull only sets the starting point.
 */
export function recordVisit(
  before: Absence | undefined,
  { version, at }: { version: number; at: number },
): Absence {
  const fresh: Absence = { from: version, to: version, at, read: {} }
  // Versions decrease when the server's database was replaced.
  if (!before || version < before.to) return fresh
  const wasAway = at - before.at > HOUR_MS || !sameDay(at, before.at)
  if (wasAway) return { ...before, to: version, at }
  return hasUnread(before) ? { ...before, at } : fresh
}

/** Whether there may be changes to show. */
export const hasUnread = (away: Pick<Absence, 'from' | 'to'>): boolean => away.from < away.to

/** Marks everything as read. */
export const dismiss = (away: Absence): Absence => ({ ...away, from: away.to, read: {} })

/** Marks one plan as read. */
export const markPlanRead = (away: Absence, plan_id: string): Absence =>
  away.read[plan_id] === away.to ? away : { ...away, read: { ...away.read, [plan_id]: away.to } }
