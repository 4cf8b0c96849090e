// The app's configuration, and health checks for supervisors.
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { endpoints } from '../../contract/endpoints.ts'
import { VERSION } from '../configuration/version.ts'
import type { Database } from '../database/database.ts'
import { schemaVersion } from '../database/migrate.ts'
import { unavailable } from '../errors/http-error.ts'
import { publicRoute } from '../http/route.ts'
import type { Services } from '../http/services.ts'

/** `GET /config.json`: the app's configuration, without secrets. */
export const getConfig = publicRoute(endpoints.getConfig, async ({ services }) => services.config)

const SCHEMA = schemaVersion()

/** A trivial query takes milliseconds: after this the database counts as not responding. */
const ANSWER_WITHIN_MS = 3_000

/** Health checks need no sign-in: however many come, each database is asked once a second. */
const REUSE_MS = 1_000

interface Probe {
  /** By `services.monotonicMs`; undefined while it is running. */
  endedAt: number | undefined
  result: Promise<unknown>
}

/** A question to the database with one answer for all callers, while it is asked and for REUSE_MS after. */
function createProbe(ask: (database: Database) => Promise<unknown>) {
  const probes = new WeakMap<Database, Probe>()
  return ({ database, monotonicMs }: Services): Promise<unknown> => {
    const latest = probes.get(database)
    const isCurrent = latest && monotonicMs() - (latest.endedAt ?? monotonicMs()) < REUSE_MS
    if (isCurrent) return latest.result
    const probe: Probe = { endedAt: undefined, result: ask(database) }
    probes.set(database, probe)
    const end = () => {
      probe.endedAt = monotonicMs()
    }
    probe.result.then(end, end)
    return probe.result
  }
}

const pinged = createProbe((database) => database.ping())
const queried = createProbe((database) => database.system((tx) => sql`select 1`.execute(tx)))

const notResponding = () => unavailable('The database is not responding. Please try again.')

/** Waits for the database. Throws 503 when it answers late: who asks gives up soon. */
async function inTime(answer: Promise<unknown>): Promise<void> {
  const isLate = pause(ANSWER_WITHIN_MS, true, { ref: false })
  if ((await Promise.race([answer, isLate])) === true) throw notResponding()
}

/** `GET /healthz`: the process and its database respond, with version and schema. 503 when the database does not. */
export const getHealth = publicRoute(endpoints.getHealth, async ({ services }) => {
  await inTime(
    pinged(services).catch(() => {
      throw notResponding()
    }),
  )
  return { status: 'alive', version: VERSION, schema: SCHEMA }
})

/** `GET /readyz`: transactions can be made. 503 when they cannot. */
export const getReadiness = publicRoute(endpoints.getReadiness, async ({ services }) => {
  await inTime(queried(services))
  return { status: 'ready' }
})
