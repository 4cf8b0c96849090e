import { endpoints } from '../../../contract/endpoints.ts'
import type { OrganisationUser } from '../../../contract/people.ts'
import { collectionQuery, endpointQuery } from '../../sync/queries.ts'

/** Every organisation of the signed-in user. */
export const organisationsQuery = () =>
  endpointQuery(endpoints.listOrganisations, { query: { per_page: 500, sort: 'name' } })

/** Who belongs to the active organisation. */
export const membersQuery = () => collectionQuery<OrganisationUser>('organisation_users')

const byUser = (members: OrganisationUser[]): ReadonlyMap<string, OrganisationUser> =>
  new Map(members.map((member) => [member.user_id, member]))

/** The members by their user's id, as records name people. */
export const membersByUserQuery = () => ({ ...membersQuery(), select: byUser })
