import type { Messages } from '../../../contract/text/catalogue.ts'
import type { NameOf } from '../record-id.ts'

const personMessages = {
  formerMember: 'A former member',
  unknown: 'Unknown member',
} as const satisfies Messages

/** Members and former members by user id. `mayLack`: a member may be missing among them. */
export type People = ReadonlyMap<string, { user_id: string; name: string }> & { mayLack?: boolean }

/** Whether a user was a member and has left: is not among `people`, of whom none is missing. */
export const hasLeft = (people: People | undefined, user_id: string | null): boolean =>
  !!people && !people.mayLack && user_id !== null && !people.has(user_id)

/**
 * The name of a user, or what is known of this person. An author who is not among the people (`usePeople`) has left;
 * nothing is known while the members are not.
 */
export const personText = (people: People | undefined, user_id: string | null): string =>
  people?.get(user_id ?? '')?.name ??
  (hasLeft(people, user_id) ? personMessages.formerMember : personMessages.unknown)

/** The same by names. */
export const personNamed = (nameOf: NameOf, user_id: string | null): string =>
  nameOf('organisation_users', user_id) ??
  (nameOf('former_members', user_id) === undefined
    ? personMessages.unknown
    : personMessages.formerMember)
