// The engine's reads, typed by the contract: a name says what it brings.
import type { AnswerOf, InputOf } from '../../contract/endpoint.ts'
import type { endpoints, EndpointName } from '../../contract/endpoints.ts'
import type { RecordOf } from '../../contract/resource-schemas.ts'
import { resources, type ResourceName, type ResourceWith } from '../../contract/resources.ts'
import type { CallInput } from '../../contract/offline.ts'
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

/** One record, as the server last sent it; null when the server says that there is none. */
export const oneRecordQuery = <R extends ResourceWith<'get'>>(resource: R, id: string) =>
  recordQuery<RecordOf<R>>(resource, id, resources[resource].calls.get)

type PartitionedResource = {
  [R in ResourceName]: (typeof resources)[R]['partition'] extends null ? never : R
}[ResourceName]

/** The records of a resource that belong to the record `id` of its parent, in no order. */
export const partOfQuery = <R extends PartitionedResource>(resource: R, id: string) =>
  partitionQuery<RecordOf<R>>(resource, id)

/** The records of a part as the replica has them; undefined where it was never read. */
export const storedPart = async <R extends PartitionedResource>(
  replica: Replica,
  resource: R,
  id: string,
): Promise<readonly RecordOf<R>[] | undefined> =>
  (await replica.partition(resource, id)) as RecordOf<R>[] | undefined

/** The answer of any other read; `organisation_id` is given for what belongs to the active organisation. */
export const answerQuery = <N extends EndpointName>(
  call: N,
  input: InputOf<(typeof endpoints)[N]> & CallInput,
  organisation_id?: string,
) => endpointQuery<AnswerOf<(typeof endpoints)[N]>>(call, input, organisation_id)
