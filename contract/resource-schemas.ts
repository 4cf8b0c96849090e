// Record schemas by resource, and checks of `resources` against the calls. Separate from resources.ts, so
// that the first screen loads no schemas.
import * as v from 'valibot'
import type { InputOf } from './endpoint.ts'
import type { endpoints, EndpointName } from './endpoints.ts'
import { recordEndpoints } from './endpoints/records.ts'
import {
  resourceNames,
  resources,
  type CallKind,
  type CallOf,
  type ParentResource,
  type ResourceName,
} from './resources.ts'

/** The schema of each resource's records: what its list answers. */
export const recordSchemas = Object.fromEntries(
  resourceNames.map((name) => [name, recordEndpoints[resources[name].calls.list].answer.schema]),
) as {
  [
    R in ResourceName
  ]: (typeof recordEndpoints)[(typeof resources)[R]['calls']['list']]['answer']['schema']
}

/** A record of that resource, as parsed from an answer. */
export type RecordOf<R extends ResourceName> = v.InferOutput<(typeof recordSchemas)[R]>

type Defaulted<R extends ResourceName> = {
  [F in keyof RecordOf<R>]: undefined extends v.InferInput<(typeof recordSchemas)[R]>[F &
    keyof v.InferInput<(typeof recordSchemas)[R]>]
    ? F
    : never
}[keyof RecordOf<R>]

/** The fields of a record that its schema fills in: null, or a default. */
export type BlankOf<R extends ResourceName> = { [F in Defaulted<R>]: RecordOf<R>[F] }

/** The blank record of each resource. */
export const blankRecords = Object.fromEntries(
  resourceNames.map((name) => [name, v.getDefaults(recordSchemas[name])]),
) as unknown as { [R in ResourceName]: BlankOf<R> }

type Row<N> = N extends EndpointName ? (typeof endpoints)[N] : never

/** The request body of that kind of call. */
export type BodyOf<R extends ResourceName, K extends CallKind> =
  InputOf<Row<CallOf<R, K>>> extends { body: infer B } ? B : never

/** The resource and kind of a row; never if it has none. */
type Named<N extends EndpointName> = (typeof endpoints)[N] extends {
  resource?: infer R
  kind?: infer K
}
  ? [Exclude<R, undefined>, Exclude<K, undefined>]
  : never

type RowsOf<R extends ResourceName, K extends CallKind> = {
  [N in EndpointName]: [Named<N>[0]] extends [never]
    ? never
    : [Named<N>] extends [[R, K]]
      ? N
      : never
}[EndpointName]

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

type Disagreement = {
  [R in ResourceName]: {
    [K in CallKind]: Same<CallOf<R, K>, RowsOf<R, K>> extends true ? never : `${R}.${K}`
  }[CallKind]
}[ResourceName]

/** Fails to compile when `resources` and the endpoint table name different calls. */
export const callsAgree: [Disagreement] extends [never] ? true : { calls: Disagreement } = true

/** Parents named in `resources` that are no resources. */
type UnknownResource = Exclude<
  | ParentResource
  | {
      [R in ResourceName]: (typeof resources)[R] extends { partition: { of: infer P } } ? P : never
    }[ResourceName],
  ResourceName
>

/** Fails to compile when a parent is not a resource. */
export const parentsExist: [UnknownResource] extends [never] ? true : { parent: UnknownResource } =
  true
