// The doctor's check of the clock: against those of other servers, since the server's own database has the same one.
import type { Configuration } from '../../configuration/configuration.ts'
import type { Finding } from './doctor.ts'

const TIMEOUT_MS = 5_000
const MAX_DIFFERENCE_MS = 5_000
const SECOND_MS = 1_000

/** `databaseTime`: of the database, read just now (ISO 8601). */
export async function examineClock(
  { postgres, integrations }: Configuration,
  databaseTime: string,
): Promise<Finding> {
  const differences: [string, number | undefined][] = []
  if (postgres) differences.push(['the database', Date.now() - Date.parse(databaseTime)])
  const issuer = integrations.oidc?.issuer
  if (issuer !== undefined) differences.push([issuer, await differenceFrom(issuer)])
  const compared = differences.flatMap(([whose, ms]) => (ms === undefined ? [] : [{ whose, ms }]))
  const wrong = compared.find(({ ms }) => Math.abs(ms) > MAX_DIFFERENCE_MS)
  if (wrong) {
    const seconds = Math.round(Math.abs(wrong.ms) / SECOND_MS)
    return {
      check: 'clock',
      state: 'warning',
      finding: `It differs from that of ${wrong.whose} by ${seconds} s. Set both by NTP.`,
    }
  }
  return {
    check: 'clock',
    state: 'ok',
    finding:
      compared.length === 0
        ? 'Not checked: the database runs on this machine and has its clock. Set it by NTP.'
        : `It agrees with that of ${compared.map(({ whose }) => whose).join(' and of ')}.`,
  }
}

/**
 * How many milliseconds this clock is ahead of that of a web server, by the `Date` of any answer and the `Age` that a
 * cache adds to it (RFC 9110, section 6.6.1; RFC 9111, section 5.1), both in whole seconds. 0 where the request took as
 * long; undefined where there is no answer, or no date.
 */
async function differenceFrom(url: string): Promise<number | undefined> {
  const sentMs = Date.now()
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(url, { method: 'HEAD', redirect: 'manual', signal }).catch(() => {})
  const dateMs = Date.parse(response?.headers.get('Date') ?? '')
  if (Number.isNaN(dateMs)) return undefined
  // An `Age` that is no number says nothing of it.
  const answeredMs = dateMs + (Number(response?.headers.get('Age')) || 0) * SECOND_MS
  if (answeredMs > Date.now()) return Date.now() - answeredMs
  return Math.max(0, sentMs - (answeredMs + SECOND_MS))
}
