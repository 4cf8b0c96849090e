// What machines ask: the app for its configuration, a supervisor for signs of life.
import { sql } from 'kysely'
import { endpoints } from '../../contract/endpoints.ts'
import { publicRoute } from '../http/route.ts'

export const getConfig = publicRoute(endpoints.getConfig, async ({ services }) => services.config)

export const getHealth = publicRoute(endpoints.getHealth, async () => ({ status: 'alive' }))

export const getReadiness = publicRoute(endpoints.getReadiness, async ({ services }) => {
  await services.database.system((tx) => sql`select 1`.execute(tx))
  return { status: 'ready' }
})
