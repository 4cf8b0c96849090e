import type { Messages } from '../../../contract/text/catalogue.ts'
import type { NameOf } from '../record-id.ts'

const personMessages = {
  formerMember: 'A former member',
  unknown: 'Unknown member',
} as const satisfies Messages

type People = ReadonlyMap<string, { name: string }> | undefined

/**
 * The name of a user, or what is known of this person: who wrote here and is not among the people, see `usePeople`, has
 * left. While the members are not known, nothing is.
 */
export const personText = (people: People, user_id: string | null): string =>
  people?.get(user_id ?? '')?.name ??
  (people && user_id !== null ? personMessages.formerMember : personMessages.unknown)

/** The same by names. */
export const personNamed = (nameOf: NameOf, user_id: string | null): string =>
  nameOf('organisation_users', user_id) ??
  (nameOf('former_members', user_id) === undefined
    ? personMessages.unknown
    : personMessages.formerMember)
