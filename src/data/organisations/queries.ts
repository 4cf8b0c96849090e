import type { endpoints } from '../../../contract/endpoints.ts'
import type { AnswerOf, InputOf } from '../../../contract/endpoint.ts'
import type { OrganisationUser } from '../../../contract/schemas/people.ts'
import { collectionQuery, endpointQuery } from '../../sync/react/query-options.ts'

type Row = typeof endpoints.listOrganisations

/** Every organisation of the signed-in user. */
export const organisationsQuery = () =>
  endpointQuery<AnswerOf<Row>>('listOrganisations', {
    query: { per_page: 500, sort: 'name' },
  } satisfies InputOf<Row>)

/** Who belongs to the active organisation. */
export const membersQuery = () => collectionQuery<OrganisationUser>('organisation_users')

const byUser = (members: OrganisationUser[]): ReadonlyMap<string, OrganisationUser> =>
  new Map(members.map((member) => [member.user_id, member]))

/** The members by their user's id, as records name people. */
export const membersByUserQuery = () => ({ ...membersQuery(), select: byUser })
