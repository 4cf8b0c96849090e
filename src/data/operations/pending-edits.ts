// The operations of one record that a new change of it has to take into account.
import type { ResourceWith } from '../../../contract/resources.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { useOperations } from '../../sync/react/use-sync.ts'
import { isFor, recordIdOf } from './operation-call.ts'

/** The operation that creates the record `id` and is not acknowledged yet. */
export const pendingCreation = (
  operations: readonly Operation[],
  resource: ResourceWith<'create'>,
  id: string,
): Operation | undefined =>
  operations.find(
    (one) =>
      isFor(one, resource, 'create') && one.state !== 'acknowledged' && recordIdOf(one) === id,
  )

/**
 * The rejected edit of a record that can be changed and sent again. A conflict is none: it is
 * resolved where it is shown.
 */
export const useRejectedEdit = (
  resource: ResourceWith<'update'>,
  id: string | undefined,
): Operation | undefined =>
  useOperations().find(
    (one) =>
      isFor(one, resource, 'update') &&
      one.state === 'attention' &&
      one.conflict === undefined &&
      recordIdOf(one) === id,
  )
