// The app's configuration, and health checks for supervisors.
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { endpoints } from '../../contract/endpoints.ts'
import { VERSION } from '../configuration/version.ts'
import { schemaVersion } from '../database/migrate.ts'
import { unavailable } from '../errors/http-error.ts'
import { publicRoute } from '../http/route.ts'

/** `GET /config.json`: the app's configuration, without secrets. */
export const getConfig = publicRoute(endpoints.getConfig, async ({ services }) => services.config)

const SCHEMA = schemaVersion()

/** A trivial query takes milliseconds: after this the database counts as not responding. */
const ANSWER_WITHIN_MS = 3_000

/** `GET /healthz`: the process and its database respond, with version and schema. 503 when the database does not. */
export const getHealth = publicRoute(endpoints.getHealth, async ({ services }) => {
  const answered = services.database.ping().then(
    () => true,
    () => false,
  )
  const late = pause(ANSWER_WITHIN_MS, false, { ref: false })
  if (!(await Promise.race([answered, late])))
    throw unavailable('The database is not responding. Please try again.')
  return { status: 'alive', version: VERSION, schema: SCHEMA }
})

/** `GET /readyz`: the database responds too. 503 when it does not. */
export const getReadiness = publicRoute(endpoints.getReadiness, async ({ services }) => {
  await services.database.system((tx) => sql`select 1`.execute(tx))
  return { status: 'ready' }
})
