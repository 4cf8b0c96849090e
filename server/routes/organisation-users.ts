// The members of an organisation.
import type { Selectable } from 'kysely'
import { endpoints } from '../../contract/endpoints.ts'
import { canManage } from '../../contract/roles.ts'
import { presentRecord } from '../database/record-columns.ts'
import type { Tx } from '../database/connection.ts'
import { contains, findPage } from '../http/list-query.ts'
import { withdrawInvites } from '../domain/invites.ts'
import { endMembership } from '../domain/membership.ts'
import { forbidden, invalid, notFound } from '../errors/http-error.ts'
import { memberRoute } from '../http/route.ts'
import { nextVersion, type OrganisationScope } from '../domain/organisation.ts'
import type { Tables } from '../database/tables.ts'
import type { SignedIn } from '../auth/tokens.ts'

/** Query for the members of an organisation, with the columns that other members may see. */
export const selectMembers = (tx: Tx, organisation_id: string) =>
  tx
    .selectFrom('organisation_users')
    .innerJoin('users', 'users.id', 'organisation_users.user_id')
    .where('organisation_users.organisation_id', '=', organisation_id)
    .select([
      'organisation_users.id',
      'organisation_users.user_id',
      'organisation_users.organisation_id',
      'organisation_users.role',
      'organisation_users.created_at',
      'users.name',
      'users.email',
      'users.avatar_url',
    ])

type MemberRow = Awaited<ReturnType<ReturnType<typeof selectMembers>['executeTakeFirstOrThrow']>>

/** A row as the contract's record. */
export const presentMember = ({ role, ...member }: MemberRow) =>
  presentRecord('organisation_users', { ...member, pivot: { role } })

/** `GET /api/v1/organisation-users`: a page of members, filtered by name. */
export const listOrganisationUsers = memberRoute(
  endpoints.listOrganisationUsers,
  async ({ tx, organisation, query }) => {
    const title = query.filters?.title ?? ''
    const sort = query.sort ?? 'name'
    const column = sort.endsWith('name') ? 'users.name' : 'organisation_users.created_at'
    const matching = selectMembers(tx, organisation.id).$if(title !== '', (members) =>
      members.where(contains('users.name', title)),
    )
    return findPage(matching, {
      query,
      sort: sort.startsWith('-') ? `-${column}` : column,
      textColumns: ['users.name'],
      tieBreak: 'organisation_users.id',
      present: presentMember,
    })
  },
)

/** `GET /api/v1/former-members`: a page of the names of former members, filtered by name. */
export const listFormerMembers = memberRoute(
  endpoints.listFormerMembers,
  async ({ tx, organisation, query }) => {
    const title = query.filters?.title ?? ''
    const matching = tx
      .selectFrom('former_members')
      .where('organisation_id', '=', organisation.id)
      .$if(title !== '', (rows) => rows.where(contains('name', title)))
    return findPage(matching.selectAll(), {
      query,
      organisation,
      sort: query.sort ?? 'name',
      textColumns: ['name'],
      present: (row: Selectable<Tables['former_members']>) => presentRecord('former_members', row),
    })
  },
)

/** The membership. Throws an HttpError: 404, or 403 unless the caller manages the organisation. */
async function loadMember(
  tx: Tx,
  organisation: OrganisationScope,
  user: SignedIn,
  by: { column: 'id' | 'user_id'; id: string },
) {
  const member = await selectMembers(tx, organisation.id)
    .where(`organisation_users.${by.column}`, '=', by.id)
    .executeTakeFirst()
  if (!member) throw notFound()
  if (!canManage(user, organisation)) throw forbidden()
  return member
}

/**
 * `PUT /api/v1/organisation-users/{user_id}`: changes the role. 403 unless the caller manages the
 * organisation, and for its owner; 404; 422 when the body names another user.
 */
export const updateOrganisationUser = memberRoute(
  endpoints.updateOrganisationUser,
  async ({ tx, organisation, user, path, body }) => {
    if (body.user_id !== path.user_id)
      throw invalid({ user_id: ['This is not the user in the URL.'] })
    const member = await loadMember(tx, organisation, user, { column: 'user_id', id: path.user_id })
    if (member.user_id === organisation.user_id)
      throw forbidden('The role of the owner cannot be changed.')
    if (body.role === 'member') await withdrawInvites(tx, organisation.id, member.user_id)
    await tx
      .updateTable('organisation_users')
      .set({ role: body.role, version: await nextVersion(tx, organisation.id) })
      .where('organisation_id', '=', organisation.id)
      .where('id', '=', member.id)
      .execute()
    return { data: presentMember({ ...member, role: body.role }) }
  },
)

/**
 * `DELETE /api/v1/organisation-users/{id}?heir_id=`: 204, removes the member, whose work goes to the heir. 403
 * unless the caller manages the organisation, and for its owner; 404; 422 for an heir who is no other member.
 */
export const deleteOrganisationUser = memberRoute(
  endpoints.deleteOrganisationUser,
  async ({ tx, organisation, user, path, query, now }) => {
    const member = await loadMember(tx, organisation, user, { column: 'id', id: path.id })
    if (member.user_id === organisation.user_id) throw forbidden('The owner cannot be removed.')
    const { heir_id } = query
    await endMembership(tx, organisation, member, { heir_id, by: user.id, now })
  },
)

/**
 * `POST /api/v1/leave-organisation`: 204, ends the caller's membership in the organisation of the body.
 * 403 for its owner; 422 for an heir who is no other member.
 */
export const leaveOrganisation = memberRoute(
  endpoints.leaveOrganisation,
  async ({ tx, organisation, user, body, now }) => {
    if (user.id === organisation.user_id)
      throw forbidden('The owner cannot leave the organisation.')
    const member = await selectMembers(tx, organisation.id)
      .where('organisation_users.user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    await endMembership(tx, organisation, member, { heir_id: body.heir_id, by: user.id, now })
  },
  ({ organisation_id }) => organisation_id,
)
