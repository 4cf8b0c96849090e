// Operations of a record that a new edit of it must take into account.
import type { ResourceWith } from '../../../contract/resources.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { sync } from '../../sync/client.ts'
import { useOperations } from '../../sync/react/use-sync.ts'
import { bodyFields, isFor, recordIdOf, subjectOf } from './operation-call.ts'

/** The unacknowledged operation that creates the record `id`. */
export const pendingCreation = (
  operations: readonly Operation[],
  resource: ResourceWith<'create'>,
  id: string,
): Operation | undefined =>
  operations.find(
    (operation) =>
      isFor(operation, resource, 'create') &&
      operation.state !== 'acknowledged' &&
      recordIdOf(operation) === id,
  )

/** Those of `fields` that a waiting operation behind `edited` sets in the same record, which would replace them. */
export const fieldsSetLater = (
  operations: readonly Operation[],
  edited: Operation,
  fields: object,
): object => {
  const later = operations.filter(
    (other) =>
      other.seq > edited.seq &&
      other.state !== 'acknowledged' &&
      subjectOf(other) === subjectOf(edited) &&
      recordIdOf(other) === recordIdOf(edited),
  )
  const names = new Set(later.flatMap(({ input }) => Object.keys(bodyFields(input))))
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name)))
}

/** Whether the server has the record, so that its link leads others to it. */
export const isOnServer = (resource: ResourceWith<'create'>, id: string): boolean =>
  pendingCreation(sync().operations.get(), resource, id) === undefined

/**
 * The rejected edit of a record, to be corrected and sent again in a form that sets these fields. Excludes those that
 * set others as well, which would be lost, and conflicts, which have their own dialog.
 */
export const useRejectedEdit = (
  resource: ResourceWith<'update'>,
  id: string | undefined,
  fields: object,
): Operation | undefined =>
  useOperations().find(
    (operation) =>
      isFor(operation, resource, 'update') &&
      Object.keys(bodyFields(operation.input)).every((name) => name === 'id' || name in fields) &&
      operation.state === 'attention' &&
      operation.conflict === undefined &&
      recordIdOf(operation) === id,
  )
