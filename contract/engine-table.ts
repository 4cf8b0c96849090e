// The table in the terms of the offline engine, for all who run it: the page and the service worker.
import { readAnswer, type Endpoint } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import type { CallInput, OfflinePolicy } from './offline.ts'
import { callInfo, resourceNames, resourceOf, resources, type ResourceName } from './resources.ts'
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

/** The resources that are read whole, and those that are read in parts. */
const isPartitioned = (name: ResourceName) => resources[name].partition !== null

/** Of each of those resources what `value` makes of it. */
const mapResources = <T>(names: readonly ResourceName[], value: (name: ResourceName) => T) =>
  Object.fromEntries(names.map((name) => [name, value(name)]))

/** What the engine must know of the product, but for where its server is and who the app is there. */
export const engineTable = {
  calls,
  /** Of each row, its name. */
  names: new Map<object, string>(Object.entries(endpoints).map(([name, row]) => [row, name])),
  writeQuery: (query: Record<string, unknown>) => writeQuery(query as Record<string, QueryValue>),
  /** Collections that are read in parts: the updates of one plan. */
  partitions: Object.fromEntries(
    resourceNames.flatMap((name) => {
      const { partition } = resourceOf(name)
      return partition ? [[name, partition]] : []
    }),
  ),
  /** Which calls bring an organisation to the device. */
  sources: {
    changes: calls.getChanges,
    lists: mapResources(
      resourceNames.filter((name) => !isPartitioned(name)),
      (name) => calls[resources[name].calls.list],
    ),
    parts: mapResources(resourceNames.filter(isPartitioned), (name) => ({
      call: calls[resources[name].calls.list],
      input: (id: string): CallInput => ({ path: { id } }),
    })),
    /** The part that an operation adds to. */
    partOf: ({ endpoint, input }: { endpoint: string; input: CallInput }) => {
      const info = callInfo(endpoint)
      return info?.kind === 'append'
        ? { name: info.resource, partition: input.path?.id ?? '' }
        : undefined
    },
  },
  probe: calls.getHealth,
  events: calls.getEvents,
  token: { call: calls.issueToken, userinfo: calls.getUserinfo },
}
