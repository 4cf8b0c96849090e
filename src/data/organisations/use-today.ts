import { useEffect, useMemo, useState } from 'react'
import { dayInTimeZone } from '../../../contract/rules.ts'
import { useCurrentSession } from '../current-session.ts'

const MINUTE_MS = 60_000

/** The current time in epoch milliseconds, updated often enough for days and cadences. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const update = () =>
      setNow((known) => (Math.abs(Date.now() - known) < MINUTE_MS ? known : Date.now()))
    // The timer did not run while a list was hidden or the page was suspended.
    update()
    const timer = setInterval(update, 5 * MINUTE_MS)
    document.addEventListener('visibilitychange', update)
    window.addEventListener('pageshow', update)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', update)
      window.removeEventListener('pageshow', update)
    }
  }, [])
  return now
}

/** Today's calendar day, `YYYY-MM-DD`, in the active organisation's time zone, or the device's if it has none. */
export function useToday(): string {
  const now = useNow()
  const timezone = useCurrentSession()?.organisation?.timezone ?? 'UTC'
  return useMemo(() => dayInTimeZone(timezone || undefined, new Date(now)), [timezone, now])
}
