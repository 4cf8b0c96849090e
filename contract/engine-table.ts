// The table in the terms of the offline engine, for all who run it: the page and the service worker.
import { readAnswer, type Endpoint } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import type { CallInput, OfflinePolicy } from './offline.ts'
import { writeQuery, type QueryValue } from './query-string.ts'

const toCall = (row: Endpoint) => ({
  method: row.method,
  path: row.path,
  anonymous: row.who === 'anyone',
  tenant: row.who !== 'anyone' && row.who !== 'user',
  read: (json: unknown) => readAnswer(row, json),
  // Each row's functions take that row's input, which is what is stored under its name.
  ...(row.offlinePolicy && {
    offlinePolicy: row.offlinePolicy as OfflinePolicy,
  }),
})

const calls = Object.fromEntries(
  Object.entries(endpoints).map(([name, row]) => [name, toCall(row as Endpoint)]),
) as Record<keyof typeof endpoints, ReturnType<typeof toCall>>

/** What the engine must know of the product, but for where its server is and who the app is there. */
export const engineTable = {
  calls,
  /** Of each row, its name. */
  names: new Map<object, string>(Object.entries(endpoints).map(([name, row]) => [row, name])),
  writeQuery: (query: Record<string, unknown>) => writeQuery(query as Record<string, QueryValue>),
  /** Collections that are read by parts: the updates of one plan. */
  partitions: { success_plan_updates: { by: 'success_plan_id', of: 'success_plans' } },
  /** Which calls bring an organisation to the device. */
  sources: {
    changes: calls.getChanges,
    lists: {
      success_plans: calls.listSuccessPlans,
      accounts: calls.listAccounts,
      initiatives: calls.listInitiatives,
      actions: calls.listActions,
      templates: calls.listTemplates,
      organisation_users: calls.listOrganisationUsers,
    },
    parts: {
      success_plan_updates: {
        call: calls.listPlanUpdates,
        input: (plan_id: string): CallInput => ({ path: { id: plan_id } }),
      },
    },
    partOf: ({ endpoint, input }: { endpoint: string; input: CallInput }) =>
      endpoint === 'postPlanUpdate'
        ? { name: 'success_plan_updates', partition: input.path?.id ?? '' }
        : undefined,
  },
  probe: calls.getHealth,
  events: calls.getEvents,
  token: { call: calls.issueToken, userinfo: calls.getUserinfo },
}
