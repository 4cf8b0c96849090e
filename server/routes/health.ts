// The app's configuration, and health checks for supervisors.
import { sql } from 'kysely'
import { endpoints } from '../../contract/endpoints.ts'
import { VERSION } from '../configuration/version.ts'
import { schemaVersion } from '../database/migrate.ts'
import { publicRoute } from '../http/route.ts'

/** `GET /config.json`: the app's configuration, without secrets. */
export const getConfig = publicRoute(endpoints.getConfig, async ({ services }) => services.config)

const SCHEMA = schemaVersion()

/** `GET /healthz`: the process responds, with its version and its schema. */
export const getHealth = publicRoute(endpoints.getHealth, async () => ({
  status: 'alive',
  version: VERSION,
  schema: SCHEMA,
}))

/** `GET /readyz`: the database responds too. 503 when it does not. */
export const getReadiness = publicRoute(endpoints.getReadiness, async ({ services }) => {
  await services.database.system((tx) => sql`select 1`.execute(tx))
  return { status: 'ready' }
})
