// The members of an organisation.
import { endpoints } from '../../contract/endpoints.ts'
import type { Tx } from '../database.ts'
import { contains, orderBy } from '../list-query.ts'
import { pageOf } from '../present.ts'
import { forMembers } from '../route.ts'

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

/** A row as the contract's record. */
export const presentMember = <Row extends { role: string }>({ role, ...member }: Row) => ({
  ...member,
  pivot: { role },
})

export const listOrganisationUsers = forMembers(
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
