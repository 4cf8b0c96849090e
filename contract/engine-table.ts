// The endpoint table in the form that the offline engine takes, for the page and the service worker.
import { readAnswer, type Endpoint } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import type { Config } from './schemas/config.ts'
import type { CallInput, OfflinePolicy } from './offline.ts'
import { callInfo, resourceNames, resourceOf, resources, type ResourceName } from './resources.ts'
import { writeQuery, type QueryValue } from './query-string.ts'

/** The calls that say who the user is, and which organisations there are. */
const IDENTIFYING = new Set(['getUserinfo', 'listOrganisations'])

/** The calls that read what a call without a resource changes, whose answers are compared field by field. */
const READ_BY: Partial<Record<string, string>> = {
  getUserinfo: 'getUserinfo',
  getNotificationConsents: 'getNotificationConsents',
  updateUserinfo: 'getUserinfo',
  updateNotificationConsents: 'getNotificationConsents',
  updateOrganisation: 'getOrganisation',
}

/** The call that reads the record which a call changes; an update may change its plan. */
function currentOf(name: string, { resource, kind }: Endpoint) {
  const own = READ_BY[name]
  if (own !== undefined)
    return {
      call: own,
      // What belongs to the user has no id.
      input: (id: string): CallInput => (id === '' ? {} : { path: { id } }),
      isList: false,
    }
  const changed = kind === 'append' && resource ? resourceOf(resource).partition?.of : resource
  if (changed === undefined || !['update', 'append', 'delete'].includes(kind ?? ''))
    return undefined
  const { get, list } = resourceOf(changed as ResourceName).calls
  const input = (id: string): CallInput => ({ path: { id } })
  return { call: get ?? list ?? '', input, isList: get === undefined }
}

const toCall = (name: string, row: Endpoint, collection = row.resource ?? READ_BY[name]) => ({
  method: row.method,
  path: row.path,
  // Of the calls for anyone that the specification has, another server may want to know who checks a link.
  anonymous: row.who === 'anyone' && name !== 'verifyToken',
  tenant: row.who !== 'anyone' && row.who !== 'user',
  identifies: IDENTIFYING.has(name),
  current: currentOf(name, row),
  ...(collection && { collection }),
  ...(row.capability && { capability: row.capability }),
  read: (json: unknown, id?: string) => readAnswer(row, json, id),
  // Safe cast: each policy takes its row's input, and that is what the outbox stores under its name.
  ...(row.offlinePolicy && {
    offlinePolicy: row.offlinePolicy as OfflinePolicy,
  }),
})

const calls = Object.fromEntries(
  Object.entries(endpoints).map(([name, row]) => [name, toCall(name, row as Endpoint)]),
) as Record<keyof typeof endpoints, ReturnType<typeof toCall>>

/** Whether the resource is read in parts instead of as a whole. */
const isPartitioned = (name: ResourceName) => resourceOf(name).partition !== undefined

/** An object with `value(name)` for each name. */
const mapResources = <T>(names: readonly ResourceName[], value: (name: ResourceName) => T) =>
  Object.fromEntries(names.map((name) => [name, value(name)]))

/** The calls that read one record, of the resources that have one. */
const singleReads = Object.fromEntries(
  resourceNames.flatMap((name) => {
    const call = resourceOf(name).calls.get
    const input = (id: string): CallInput => ({ path: { id } })
    return call === undefined ? [] : [[name, { call: calls[call as keyof typeof calls], input }]]
  }),
)

/** Where the API is and what is known of it. */
export const apiAddress = (config: Config) => ({
  baseUrl: config.apiBaseUrl,
  capabilities: config.capabilities ?? undefined,
  formerBaseUrls: config.formerApiBaseUrls,
  // Every configuration names a client.
  isUnknown: config.clientId === '',
})

/** The engine's configuration, apart from the server's address and the client's credentials. */
export const engineTable = {
  calls,
  /** Names by row, to look up the name of a row passed to a call. */
  names: new Map<object, string>(Object.entries(endpoints).map(([name, row]) => [row, name])),
  writeQuery: (query: Record<string, unknown>) => writeQuery(query as Record<string, QueryValue>),
  /** Collections that are read in parts, such as the updates of one plan. */
  partitions: Object.fromEntries(
    resourceNames.flatMap((name) => {
      const { partition } = resourceOf(name)
      return partition ? [[name, partition]] : []
    }),
  ),
  /** The calls that download an organisation. */
  sources: {
    changes: calls.getChanges,
    lists: mapResources(
      resourceNames.filter((name) => !isPartitioned(name)),
      (name) => calls[resources[name].calls.list],
    ),
    records: singleReads,
    /** The specification has no calls for them. */
    optional: new Set<string>(
      resourceNames.filter(
        (name) => (endpoints[resources[name].calls.list] as Endpoint).capability !== undefined,
      ),
    ),
    parts: mapResources(resourceNames.filter(isPartitioned), (name) => ({
      call: calls[resources[name].calls.list],
      input: (id: string): CallInput => ({ path: { id } }),
    })),
    collectionOf: ({ endpoint }: { endpoint: string }): string | undefined =>
      callInfo(endpoint)?.resource,
    changedBy: ({ endpoint }: { endpoint: string }): string[] => {
      const { resource, kind } = callInfo(endpoint) ?? {}
      const isParent = (name: string, of: ResourceName) =>
        Object.values(resourceOf(of).parents ?? {}).includes(name)
      return resourceNames.filter(
        (name) =>
          resource &&
          (name === resource ||
            // Its progress follows from them.
            (resourceOf(name).statusTransitions && isParent(name, resource)) ||
            (kind === 'delete' && isParent(resource, name))),
      )
    },
    /** The part of a partitioned collection that an operation appends to. */
    partOf: ({ endpoint, input }: { endpoint: string; input: CallInput }) => {
      const info = callInfo(endpoint)
      return info?.kind === 'append'
        ? { name: info.resource, partition: input.path?.id ?? '' }
        : undefined
    },
  },
  probe: calls.getHealth,
  events: calls.getEvents,
  token: { call: calls.issueToken, userinfo: calls.getUserinfo, revoke: calls.revokeSession },
}
