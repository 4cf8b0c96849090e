// What machines ask: the app for its configuration, a supervisor for signs of life.
import { sql } from 'kysely'
import { endpoints } from '../../contract/endpoints.ts'
import { forAnyone } from '../route.ts'

export const getConfig = forAnyone(endpoints.getConfig, async ({ services }) => services.config)

export const getHealth = forAnyone(endpoints.getHealth, async () => ({ status: 'alive' }))

export const getReadiness = forAnyone(endpoints.getReadiness, async ({ services }) => {
  await services.database.system((tx) => sql`select 1`.execute(tx))
  return { status: 'ready' }
})
