import type { Messages } from '../../../contract/text/catalogue.ts'
import type { NameOf } from '../record-id.ts'

const personMessages = {
  formerMember: 'A former member',
  unknown: 'Unknown member',
} as const satisfies Messages

/** Members and former members by user id. `mayLack`: a member may be missing among them. */
export type People = ReadonlyMap<string, { user_id: string; name: string }> & { mayLack?: boolean }

/** Whether a user was a member and has left; false while `people` may lack someone. */
export const hasLeft = (people: People | undefined, user_id: string | null): boolean =>
  !!people && !people.mayLack && user_id !== null && !people.has(user_id)

/**
 * The name of a user, else the words for a former member or, while the members are not known, an unknown one. `people`
 * are those of `usePeople`.
 */
export const personText = (people: People | undefined, user_id: string | null): string =>
  people?.get(user_id ?? '')?.name ??
  (hasLeft(people, user_id) ? personMessages.formerMember : personMessages.unknown)

/** Like `personText`, with a function that names records in place of the people. */
export const personNamed = (nameOf: NameOf, user_id: string | null): string =>
  nameOf('organisation_users', user_id) ??
  (nameOf('former_members', user_id) === undefined
    ? personMessages.unknown
    : personMessages.formerMember)
