// The engine's queries, typed by the contract.
import type { AnswerOf, InputOf } from '../../contract/endpoint.ts'
import type { endpoints, EndpointName } from '../../contract/endpoints.ts'
import type { RecordOf } from '../../contract/resource-schemas.ts'
import { resources, type ResourceName, type ResourceWith } from '../../contract/resources.ts'
import type { CallInput } from '../../contract/offline.ts'
import type { ServerReport } from '../sync/core/pull/read-report.ts'
import type { Replica } from '../sync/core/replica.ts'
import {
  collectionQuery,
  endpointQuery,
  partitionQuery,
  recordQuery,
} from '../sync/react/query-options.ts'

/** All records of a resource of the active organisation, as the server last sent them. */
export const recordsQuery = <R extends ResourceName>(resource: R) =>
  collectionQuery<RecordOf<R>>(resource)

/** Whether the list of a resource was refused, or one of its records could not be read. */
export const isUnread = (
  resource: ResourceName,
  { unread, refused }: Pick<ServerReport, 'unread' | 'refused'>,
): boolean =>
  resource in refused ||
  unread.some(({ collection, leftOut }) => collection === resource && leftOut === 'record')

/** Whether records of a resource may be missing on this device, also because its list is still being read. */
export const mayLack = (resource: ResourceName, report: ServerReport): boolean =>
  isUnread(resource, report) || report.partial?.includes(resource) === true

/** One record, as the server last sent it; null if it does not exist. */
export const oneRecordQuery = <R extends ResourceWith<'get'>>(resource: R, id: string) =>
  recordQuery<RecordOf<R>>(resource, id, resources[resource].calls.get)

type PartitionedResource = {
  [R in ResourceName]: (typeof resources)[R] extends { partition: object } ? R : never
}[ResourceName]

/** The records of a partitioned resource that belong to the parent `id`, unordered. */
export const partOfQuery = <R extends PartitionedResource>(resource: R, id: string) =>
  partitionQuery<RecordOf<R>>(resource, id)

/** The records of a partition in the replica; undefined if it was never pulled. */
export const storedPart = async <R extends PartitionedResource>(
  replica: Replica,
  resource: R,
  id: string,
): Promise<readonly RecordOf<R>[] | undefined> =>
  (await replica.partition(resource, id)) as RecordOf<R>[] | undefined

/** The answer of any other read. Pass `organisation_id` if it belongs to the active organisation. */
export const answerQuery = <N extends EndpointName>(
  call: N,
  input: InputOf<(typeof endpoints)[N]> & CallInput,
  organisation_id?: string,
) => endpointQuery<AnswerOf<(typeof endpoints)[N]>>(call, input, organisation_id)
