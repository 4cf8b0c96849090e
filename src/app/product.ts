// The product, as this page's engine needs to know it.
import { table } from '../../contract/calls.ts'
import type { Product } from '../sync/page-engine.ts'
import { config, configured } from './config.ts'

export const product: Product = {
  ...table,
  token: {
    ...table.token,
    client: async () => {
      const { clientId, clientSecret } = await configured()
      return { client_id: clientId, client_secret: clientSecret }
    },
  },
  baseUrl: () => config().apiBaseUrl,
}
