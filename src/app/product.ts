// The product, as the engine needs to know it: the contract's table in the engine's terms.
import type { Endpoint } from '../../contract/endpoint.ts'
import { readAnswer } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { writeQuery, type QueryValue } from '../../contract/query-string.ts'
import type { Product } from '../sync/client.ts'
import type { Call, Calls } from '../sync/ports.ts'
import { config, configured } from './config.ts'

const toCall = (row: Endpoint): Call => ({
  method: row.method,
  path: row.path,
  anonymous: row.who === 'anyone',
  tenant: row.who !== 'anyone' && row.who !== 'user',
  read: (json) => readAnswer(row, json),
  // Each row's functions take that row's input, which is what is stored under its name.
  ...(row.queueing && { queueing: row.queueing as unknown as NonNullable<Call['queueing']> }),
})

const calls = Object.fromEntries(
  Object.entries(endpoints).map(([name, row]) => [name, toCall(row as unknown as Endpoint)]),
) as Record<keyof typeof endpoints, Call>

export const product: Product = {
  calls: calls satisfies Calls,
  names: new Map<object, string>(Object.entries(endpoints).map(([name, row]) => [row, name])),
  writeQuery: (query) => writeQuery(query as Record<string, QueryValue>),
  partitions: { success_plan_updates: { by: 'success_plan_id', of: 'success_plans' } },
  sources: {
    changes: calls.getChanges,
    lists: {
      success_plans: calls.listSuccessPlans,
      accounts: calls.listAccounts,
      organisation_users: calls.listOrganisationUsers,
    },
    parts: {
      success_plan_updates: {
        call: calls.listPlanUpdates,
        input: (plan_id) => ({ path: { id: plan_id } }),
      },
    },
    partOf: ({ endpoint, input }) =>
      endpoint === 'postPlanUpdate'
        ? { name: 'success_plan_updates', partition: input.path?.id ?? '' }
        : undefined,
  },
  probe: calls.getHealth,
  token: {
    call: calls.issueToken,
    client: async () => {
      const { clientId, clientSecret } = await configured()
      return { client_id: clientId, client_secret: clientSecret }
    },
    userinfo: calls.getUserinfo,
  },
  baseUrl: () => config().apiBaseUrl,
}
