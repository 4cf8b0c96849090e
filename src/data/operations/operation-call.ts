// Typed views of stored operations. They name their endpoints by strings, possibly from another
// build; the functions here narrow such a name.
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

/** Whether the operation is that call. For calls without a resource; use `isFor` otherwise. */
export const isCall = ({ endpoint }: Called, name: EndpointName): boolean => endpoint === name

/** The calls without a resource that are queued. */
const OTHERS: readonly EndpointName[] = [
  'putSavedView',
  'deleteSavedView',
  'updateUserinfo',
  'updateNotificationConsents',
]

/** Whether another tab with a newer version of the app made it, so that this version cannot send it. */
export const isOfNewerVersion = ({ endpoint }: Called): boolean =>
  !callInfo(endpoint) && !OTHERS.some((name) => name === endpoint)

/** The kind of the call; undefined if it has no resource. */
export const kindOf = ({ endpoint }: Called): CallKind | undefined => callInfo(endpoint)?.kind

/** Whether the operation writes that resource, with one of `kinds` or any kind. */
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

/** The resource of the record that it creates, edits or appends to; undefined if it has none. */
export function subjectOf({ endpoint }: Called): ResourceName | undefined {
  const info = callInfo(endpoint)
  if (info?.kind !== 'append') return info?.resource
  return resourceOf(info.resource).partition?.of as ResourceName
}

/** The id of the record that it creates, edits or appends to; undefined if it has none. */
export function recordIdOf({ input }: Pick<Operation, 'input'>): string | undefined {
  const id = input.path?.id ?? bodyFields(input).id
  return typeof id === 'string' ? id : undefined
}

/** The id in its body: the created record's. Stable, while editing changes the operation's own id. */
export function createdRecordId({ input }: Pick<Operation, 'input'>): string | undefined {
  const { id } = bodyFields(input)
  return typeof id === 'string' ? id : undefined
}

/** The fields of its body; empty without a body. */
export const bodyFields = ({ body }: Operation['input']): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? { ...body } : {}

/** Its body, typed for that call; undefined for any other call. */
export const bodyFor = <R extends ResourceName, K extends KindOf<R> & CallKind>(
  operation: Pick<Operation, 'endpoint' | 'input'>,
  resource: R,
  kind: K,
): BodyOf<R, K> | undefined =>
  // Safe cast: the outbox stores only bodies that the call's schema accepted.
  isFor(operation, resource, kind) ? (operation.input.body as BodyOf<R, K>) : undefined
