// The product's endpoint table and names for the sync engine of this page.
import { version } from '../../../package.json'
import { apiAddress, engineTable } from '../../../contract/engine-table.ts'
import type { Product } from '../../sync/browser/start-engine.ts'
import { deviceTokens, rememberDevice } from './device-tokens.ts'
import { config, requireConfig } from './runtime-config.ts'

export const product: Product = {
  ...engineTable,
  appVersion: version,
  token: {
    ...engineTable.token,
    client: async () => {
      const { clientId, clientSecret } = await requireConfig()
      return { client_id: clientId, client_secret: clientSecret }
    },
    deviceTokens,
    rememberDevice,
  },
  api: () => apiAddress(config()),
  // Without it the calls would go to the host of the app, and its 404 would be taken for an answer.
  configured: async () => {
    if (apiAddress(await requireConfig()).isUnknown) throw new Error('No configuration yet')
  },
}
