// Which queued operations create the records that another one references.
import type { Operation } from '../operation.ts'
import type { ApiCalls } from '../ports.ts'

/** The queued operations that the server has not confirmed, by the id of the record that they create. */
export const creatorsOf = (queued: readonly Operation[], calls: ApiCalls) =>
  Map.groupBy(
    queued.filter(({ state }) => state !== 'acknowledged'),
    ({ endpoint, input }) => calls[endpoint]?.offlinePolicy?.creates?.(input),
  )

/**
 * Ids of those `creators` whose records an operation references. What this build does not know of a call of a newer
 * one stays as it was: what such an operation depends on, and which operations depend on it.
 */
export function findDependencies(
  operation: Pick<Operation, 'endpoint' | 'input' | 'user_id' | 'organisation_id'> &
    Partial<Pick<Operation, 'depends_on'>>,
  creators: ReturnType<typeof creatorsOf>,
  calls: ApiCalls,
): string[] {
  const { depends_on: before = [] } = operation
  if (!calls[operation.endpoint]) return before
  const ofNewer = (creators.get(undefined) ?? []).filter(
    ({ id, endpoint }) => !calls[endpoint] && before.includes(id),
  )
  const referenced = calls[operation.endpoint]?.offlinePolicy?.references?.(operation.input) ?? []
  return [
    ...ofNewer,
    ...[...new Set(referenced)].flatMap((id) => (id == null ? [] : (creators.get(id) ?? []))),
  ]
    .filter(
      (other) =>
        other.user_id === operation.user_id && other.organisation_id === operation.organisation_id,
    )
    .map((other) => other.id)
}
