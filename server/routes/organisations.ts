// The organisations that the caller belongs to.
import { v7 as uuidv7 } from 'uuid'
import { canManage, isOwner } from '../../contract/roles.ts'
import { endpoints } from '../../contract/endpoints.ts'
import type { Tx } from '../database/database.ts'
import { orderBy } from '../http/list-query.ts'
import { newFirstVersion } from '../domain/organisation.ts'
import { markChanged } from '../database/change-bus.ts'
import { pageOf } from '../http/present.ts'
import { forbidden, invalid, notFound } from '../errors/http-error.ts'
import { memberRoute, userRoute } from '../http/route.ts'

const ofMember = (tx: Tx, user_id: string) =>
  tx
    .selectFrom('organisation_users')
    .innerJoin('organisations', 'organisations.id', 'organisation_users.organisation_id')
    .where('organisation_users.user_id', '=', user_id)

const selectOrganisations = (tx: Tx, user_id: string) =>
  ofMember(tx, user_id).select((row) => [
    'organisations.id',
    'organisations.name',
    'organisations.user_id',
    'organisations.website',
    'organisations.timezone',
    'organisations.currency',
    'organisations.plan',
    'organisations.created_at',
    'organisations.updated_at',
    'organisation_users.role',
    row
      .selectFrom('organisation_users as members')
      .whereRef('members.organisation_id', '=', 'organisations.id')
      .select((members) => members.fn.countAll<number>().as('count'))
      .as('members_count'),
  ])

const presentOrganisation = <Row extends { role: string; members_count: number | null }>({
  role,
  members_count,
  ...organisation
}: Row) => ({ ...organisation, members_count: members_count ?? 0, pivot: { role } })

/** An organisation of the user's; undefined when it is none. */
export async function loadOrganisation(tx: Tx, user_id: string, id: string) {
  const row = await selectOrganisations(tx, user_id)
    .where('organisations.id', '=', id)
    .executeTakeFirst()
  return row && presentOrganisation(row)
}

export const listOrganisations = userRoute(
  endpoints.listOrganisations,
  async ({ tx, user, query }) => {
    const { limit, offset } = pageOf(query)
    const sort = (query.sort ?? 'name').replace(/^(-?)/, '$1organisations.')
    const rows = await selectOrganisations(tx, user.id)
      .orderBy(orderBy(sort, ['organisations.name']))
      .orderBy('organisations.id')
      .limit(limit)
      .offset(offset)
      .execute()
    const { total } = await ofMember(tx, user.id)
      .select((row) => row.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    return { data: rows.map(presentOrganisation), total }
  },
)

export const getOrganisation = userRoute(endpoints.getOrganisation, async ({ tx, user, path }) => {
  const data = await loadOrganisation(tx, user.id, path.id)
  if (!data) throw notFound()
  return { data }
})

export const createOrganisation = userRoute(
  endpoints.createOrganisation,
  async ({ tx, user, body, now }) => {
    const { id = uuidv7(), name, timezone = user.timezone, currency = 'USD' } = body
    const existing = await tx
      .selectFrom('organisations')
      .select('user_id')
      .where('id', '=', id)
      .executeTakeFirst()
    if (existing && existing.user_id !== user.id) throw invalid({ id: ['This id is taken.'] })
    const stored = existing && (await loadOrganisation(tx, user.id, id))
    if (stored) return { data: stored, repeated: true }
    const first_version = newFirstVersion()
    await tx
      .insertInto('organisations')
      .values({
        id,
        name,
        timezone,
        currency,
        user_id: user.id,
        plan: 'free',
        first_version,
        version: first_version + 1,
        created_at: now,
        updated_at: now,
      })
      .execute()
    await tx
      .insertInto('organisation_users')
      .values({
        organisation_id: id,
        id: uuidv7(),
        user_id: user.id,
        role: 'admin',
        version: first_version + 1,
        created_at: now,
      })
      .execute()
    const data = await loadOrganisation(tx, user.id, id)
    if (!data) throw notFound()
    return { data }
  },
)

export const updateOrganisation = memberRoute(
  endpoints.updateOrganisation,
  async ({ tx, user, organisation, path, body, now }) => {
    if (path.id !== organisation.id) throw notFound()
    if (!canManage(user, organisation)) throw forbidden()
    await tx
      .updateTable('organisations')
      .set({ ...body, updated_at: now })
      .where('id', '=', organisation.id)
      .execute()
    const data = await loadOrganisation(tx, user.id, organisation.id)
    if (!data) throw notFound()
    return { data }
  },
)

export const deleteOrganisation = memberRoute(
  endpoints.deleteOrganisation,
  async ({ tx, user, organisation, path, body }) => {
    if (path.id !== organisation.id) throw notFound()
    if (!isOwner(user, organisation)) throw forbidden()
    const stored = await loadOrganisation(tx, user.id, organisation.id)
    if (stored?.name !== body.name)
      throw invalid({ name: ['Repeat the name of the organisation exactly.'] })
    await tx.deleteFrom('organisations').where('id', '=', organisation.id).execute()
    markChanged(tx, organisation.id)
  },
)
