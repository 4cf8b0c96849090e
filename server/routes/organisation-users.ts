// The members of an organisation.
import { endpoints } from '../../contract/endpoints.ts'
import { canManage } from '../../contract/roles.ts'
import { presentRecord } from '../database/record-columns.ts'
import type { Tx } from '../database/database.ts'
import { contains, orderBy } from '../http/list-query.ts'
import { endMembership } from '../domain/membership.ts'
import { pageOf } from '../http/present.ts'
import { forbidden, invalid, notFound } from '../errors/http-error.ts'
import { memberRoute } from '../http/route.ts'
import { nextVersion, type OrganisationScope } from '../domain/organisation.ts'
import type { SignedIn } from '../auth/tokens.ts'

const membersOf = (tx: Tx, organisation_id: string) =>
  tx
    .selectFrom('organisation_users')
    .innerJoin('users', 'users.id', 'organisation_users.user_id')
    .where('organisation_users.organisation_id', '=', organisation_id)

/** Members of the organisation, with what the others see of them. */
export const selectMembers = (tx: Tx, organisation_id: string) =>
  membersOf(tx, organisation_id).select([
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

export const listOrganisationUsers = memberRoute(
  endpoints.listOrganisationUsers,
  async ({ tx, organisation, query }) => {
    const title = query.filters?.title ?? ''
    const { limit, offset } = pageOf(query)
    const sort = query.sort ?? 'name'
    const column = sort.endsWith('name') ? 'users.name' : 'organisation_users.created_at'
    const rows = await selectMembers(tx, organisation.id)
      .$if(title !== '', (members) => members.where(contains('users.name', title)))
      .orderBy(orderBy(sort.startsWith('-') ? `-${column}` : column, ['users.name']))
      .orderBy('organisation_users.id')
      .limit(limit)
      .offset(offset)
      .execute()
    const { total } = await membersOf(tx, organisation.id)
      .$if(title !== '', (members) => members.where(contains('users.name', title)))
      .select((members) => members.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    return { data: rows.map(presentMember), total }
  },
)

/** The membership, for those who may change it. Throws a 404 or a 403 Refusal. */
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

export const updateOrganisationUser = memberRoute(
  endpoints.updateOrganisationUser,
  async ({ tx, organisation, user, path, body }) => {
    if (body.user_id !== path.user_id)
      throw invalid({ user_id: ['This is not the user of the address.'] })
    const member = await loadMember(tx, organisation, user, { column: 'user_id', id: path.user_id })
    if (member.user_id === organisation.user_id)
      throw forbidden('The role of the owner cannot be changed.')
    await tx
      .updateTable('organisation_users')
      .set({ role: body.role, version: await nextVersion(tx, organisation.id) })
      .where('organisation_id', '=', organisation.id)
      .where('id', '=', member.id)
      .execute()
    return { data: presentMember({ ...member, role: body.role }) }
  },
)

export const deleteOrganisationUser = memberRoute(
  endpoints.deleteOrganisationUser,
  async ({ tx, organisation, user, path, now }) => {
    const member = await loadMember(tx, organisation, user, { column: 'id', id: path.id })
    if (member.user_id === organisation.user_id) throw forbidden('The owner cannot be removed.')
    await endMembership(tx, organisation, member, now)
  },
)

export const leaveOrganisation = memberRoute(
  endpoints.leaveOrganisation,
  async ({ tx, organisation, user, now }) => {
    if (user.id === organisation.user_id)
      throw forbidden('The owner cannot leave the organisation.')
    const member = await selectMembers(tx, organisation.id)
      .where('organisation_users.user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    await endMembership(tx, organisation, member, now)
  },
  ({ organisation_id }) => organisation_id,
)
