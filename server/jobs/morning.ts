// Morning jobs: work for each user once on a working day, when it is morning in the user's time zone.
import { LOCALE } from '../../contract/text/locale.ts'
import { dayInTimeZone } from '../../contract/rules.ts'
import type { Tx } from '../database/connection.ts'
import type { Database } from '../database/database.ts'
import { errorFields, log } from '../log.ts'

/** Hours of the day, to be exclusive. A server that was down at seven catches up until noon. */
const MORNING_HOURS = { from: 7, to: 12 }
const MONDAY = 'Mon'
const WEEKEND = ['Sat', 'Sun']
const NIL_ID = '00000000-0000-0000-0000-000000000000'

/** Most users that `MorningJob.users` returns at once. */
export const MORNING_BATCH_SIZE = 200

/** A working day that has begun in a time zone. `day`: ISO date there. */
export interface Morning {
  timezone: string
  day: string
  isMonday: boolean
}

/** The current morning in the time zone, UTC for an unknown one; undefined at other times and on weekends. */
function morningIn(timezone: string, now: Date): Morning | undefined {
  const format = (options: Intl.DateTimeFormatOptions) => {
    try {
      return new Intl.DateTimeFormat(LOCALE, { timeZone: timezone, ...options }).format(now)
    } catch {
      return new Intl.DateTimeFormat(LOCALE, { timeZone: 'UTC', ...options }).format(now)
    }
  }
  const hour = Number(format({ hour: 'numeric', hourCycle: 'h23' }))
  if (hour < MORNING_HOURS.from || hour >= MORNING_HOURS.to) return undefined
  const weekday = format({ weekday: 'short' })
  if (WEEKEND.includes(weekday)) return undefined
  return { timezone, day: dayInTimeZone(timezone, now), isMonday: weekday === MONDAY }
}

interface MorningJob<User> {
  /** Users of the time zone with an id after `afterId`, ordered by id, at most `MORNING_BATCH_SIZE`. */
  users: (tx: Tx, morning: Morning, afterId: string) => Promise<User[]>
  /** The work for one user, in a transaction. It must insert a unique row, so that it is done once. */
  run: (tx: Tx, user: User, morning: Morning) => Promise<void>
  /** Log event for a user whose work failed. */
  failureEvent: string
}

/**
 * Runs a job for all users for whom it is morning now. A failure is logged and does not affect other users.
 * Any number of processes may run it at the same time.
 */
export async function runMorningJob<User extends { id: string }>(
  database: Database,
  now: Date,
  { users, run, failureEvent }: MorningJob<User>,
): Promise<void> {
  const zones = await database.system((tx) =>
    tx.selectFrom('users').select('timezone').distinct().execute(),
  )
  for (const { timezone } of zones) {
    const morning = morningIn(timezone, now)
    if (!morning) continue
    let afterId = NIL_ID
    for (;;) {
      const batch = await database.system((tx) => users(tx, morning, afterId))
      for (const user of batch)
        await database
          .system((tx) => run(tx, user, morning))
          .catch((error: unknown) =>
            log('error', failureEvent, { user_id: user.id, ...errorFields(error) }),
          )
      afterId = batch.at(-1)?.id ?? ''
      if (batch.length < MORNING_BATCH_SIZE) break
    }
  }
}
