// What an operation is about, by the call that it makes. Stored operations name their calls by
// strings, also those of other builds: this is where such a name becomes typed.
import type { EndpointName } from '../../../contract/endpoints.ts'
import type { BodyOf } from '../../../contract/resource-schemas.ts'
import {
  callInfo,
  resourceOf,
  type CallKind,
  type KindOf,
  type ResourceName,
} from '../../../contract/resources.ts'
import type { Operation } from '../../sync/core/operation.ts'

type Called = Pick<Operation, 'endpoint'>

/** Whether it is that call: for calls of no resource. */
export const isCall = ({ endpoint }: Called, name: EndpointName): boolean => endpoint === name

/** How the call writes its resource; undefined for calls of none. */
export const kindOf = ({ endpoint }: Called): CallKind | undefined => callInfo(endpoint)?.kind

/** Whether it writes that resource, by a call of one of `kinds`, or of any. */
export function isFor<R extends ResourceName>(
  { endpoint }: Called,
  resource: R,
  ...kinds: KindOf<R>[]
): boolean {
  const info = callInfo(endpoint)
  return (
    info?.resource === resource &&
    (kinds.length === 0 || (kinds as readonly unknown[]).includes(info.kind))
  )
}

/** The resource of the record that it creates, changes or adds to; undefined for calls of none. */
export function subjectOf({ endpoint }: Called): ResourceName | undefined {
  const info = callInfo(endpoint)
  if (info?.kind !== 'append') return info?.resource
  return resourceOf(info.resource).partition?.of as ResourceName
}

/** The id of the record that it creates, changes or adds to; undefined for what has none. */
export function recordIdOf({ input }: Pick<Operation, 'input'>): string | undefined {
  const id = input.path?.id ?? bodyFields(input).id
  return typeof id === 'string' ? id : undefined
}

/** The id of the record that it creates; it outlives an edit, which changes the operation's own id. */
export function createdRecordId({ input }: Pick<Operation, 'input'>): string | undefined {
  const { id } = bodyFields(input)
  return typeof id === 'string' ? id : undefined
}

/** The fields of its body; none where it has no body. */
export const bodyFields = ({ body }: Operation['input']): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? { ...body } : {}

/** Its body as that call takes it; undefined for any other call. */
export const bodyFor = <R extends ResourceName, K extends KindOf<R> & CallKind>(
  operation: Pick<Operation, 'endpoint' | 'input'>,
  resource: R,
  kind: K,
): BodyOf<R, K> | undefined =>
  // The outbox stores only what the call's own schema has accepted.
  isFor(operation, resource, kind) ? (operation.input.body as BodyOf<R, K>) : undefined
