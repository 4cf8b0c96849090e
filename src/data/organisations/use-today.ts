import { useEffect, useMemo, useState } from 'react'
import { dayInTimeZone } from '../../../contract/rules.ts'
import { useCurrentSession } from '../current-session.ts'

const FIVE_MINUTES_MS = 5 * 60_000

/** The current time in epoch milliseconds, updated often enough for days and cadences. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), FIVE_MINUTES_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Today's calendar day, `YYYY-MM-DD`, in the active organisation's time zone. */
export function useToday(): string {
  const now = useNow()
  const timezone = useCurrentSession()?.organisation?.timezone ?? 'UTC'
  return useMemo(() => dayInTimeZone(timezone, new Date(now)), [timezone, now])
}
