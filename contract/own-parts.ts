// Which parts of an organisation a user will want to have without opening them.
import { resourceOf, type ResourceName } from './resources.ts'
import { OPEN_STATUSES } from './values.ts'

/** The collection whose records have a part of that collection each, such as the updates of a plan. */
export const ownersOf = (name: string): string =>
  resourceOf(name as ResourceName).partition?.of ?? ''

/** Whether a record of that collection is open, and the user's own; one without an owner is everybody's. */
export const isOwnOpen = (
  name: string,
  record: Record<string, unknown>,
  user_id: string,
): boolean => {
  const { owner = '' } = resourceOf(name as ResourceName)
  return (record[owner] ?? user_id) === user_id && OPEN_STATUSES.includes(String(record.status))
}
