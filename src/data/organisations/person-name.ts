import type { Messages } from '../../../contract/text/catalogue.ts'
import type { NameOf } from '../record-id.ts'

const personMessages = {
  formerMember: 'A former member',
  unknown: 'Unknown member',
} as const satisfies Messages

type People = ReadonlyMap<string, { name: string }> | undefined

/**
 * What stands for a user who is not among the people, see `usePeople`: who wrote here and is no member has left. While
 * the members are not known, nobody has.
 */
export const formerMember = (people: People, user_id: string | null): string | undefined =>
  people && user_id !== null && !people.has(user_id) ? personMessages.formerMember : undefined

/** The name of a user, or what is known of this person. */
export const personText = (people: People, user_id: string | null): string =>
  people?.get(user_id ?? '')?.name ?? formerMember(people, user_id) ?? personMessages.unknown

/** The same by names. */
export const personNamed = (nameOf: NameOf, user_id: string | null): string =>
  nameOf('organisation_users', user_id) ??
  nameOf('former_members', user_id) ??
  personMessages.unknown
