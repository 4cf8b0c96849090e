import type { OrganisationUser } from '../../../contract/schemas/people.ts'
import { answerQuery, recordsQuery } from '../record-queries.ts'

/** Every organisation of the signed-in user. */
export const organisationsQuery = () =>
  answerQuery('listOrganisations', { query: { per_page: 500, sort: 'name' } })

/** The members of the active organisation. */
export const membersQuery = () => recordsQuery('organisation_users')

const byUser = (members: OrganisationUser[]): ReadonlyMap<string, OrganisationUser> =>
  new Map(members.map((member) => [member.user_id, member]))

/** The members by user id, to look up owners, assignees and authors. */
export const membersByUserQuery = () => ({ ...membersQuery(), select: byUser })
