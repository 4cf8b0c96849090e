// The organisations of the caller.
import { v7 as uuidv7 } from 'uuid'
import { canManage, isOwner } from '../../contract/roles.ts'
import { endpoints } from '../../contract/endpoints.ts'
import type { Tx } from '../database/connection.ts'
import { findPage } from '../http/list-query.ts'
import { findCustomer } from '../domain/billing-state.ts'
import { newFirstVersion, removeOrganisation } from '../domain/organisation.ts'
import { forbidden, invalid, notFound } from '../errors/http-error.ts'
import { memberRoute, userRoute } from '../http/route.ts'
import { requireBudget } from '../auth/budgets.ts'

const selectOrganisations = (tx: Tx, user_id: string) =>
  tx
    .selectFrom('organisation_users')
    .innerJoin('organisations', 'organisations.id', 'organisation_users.organisation_id')
    .where('organisation_users.user_id', '=', user_id)
    .select((row) => [
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
        .$asScalar()
        .$notNull()
        .as('members_count'),
    ])

const presentOrganisation = <Row extends { role: string }>({ role, ...organisation }: Row) => ({
  ...organisation,
  pivot: { role },
})

/** An organisation as its member sees it; undefined when the user is not a member. */
export async function loadOrganisation(tx: Tx, user_id: string, id: string) {
  const row = await selectOrganisations(tx, user_id)
    .where('organisations.id', '=', id)
    .executeTakeFirst()
  return row && presentOrganisation(row)
}

/** `GET /api/v1/organisations`: a page of the caller's organisations. */
export const listOrganisations = userRoute(
  endpoints.listOrganisations,
  async ({ tx, user, query }) => {
    return findPage(selectOrganisations(tx, user.id), {
      query,
      sort: (query.sort ?? 'name').replace(/^(-?)/, '$1organisations.'),
      textColumns: ['organisations.name'],
      tieBreak: 'organisations.id',
      present: presentOrganisation,
    })
  },
)

/** `GET /api/v1/organisations/{id}`: one organisation of the caller. 404. */
export const getOrganisation = userRoute(endpoints.getOrganisation, async ({ tx, user, path }) => {
  const data = await loadOrganisation(tx, user.id, path.id)
  if (!data) throw notFound()
  return { data }
})

const idTaken = () => invalid({ id: ['This id is taken.'] })

const DAY_MS = 86_400_000
/** New organisations of one user in a day, by whether the address is proven. */
const MAX_NEW = { proven: 50, unproven: 10 }

/**
 * `POST /api/v1/organisations`: 201 with the caller as owner, or 200 when the caller already created this
 * id. 422 for an id that is taken, 429 for too many in a day.
 */
export const createOrganisation = userRoute(
  endpoints.createOrganisation,
  async ({ tx, user, body, now, services }) => {
    const { id = uuidv7(), name, timezone = user.timezone, currency = 'USD' } = body
    const existing = await tx
      .selectFrom('organisations')
      .select('user_id')
      .where('id', '=', id)
      .executeTakeFirst()
    if (existing && existing.user_id !== user.id) throw idTaken()
    const stored = existing && (await loadOrganisation(tx, user.id, id))
    if (stored) return { data: stored, repeated: true }
    // It outlives an organisation that was deleted, and belongs to that one's owner.
    if (await findCustomer(tx, id)) throw idTaken()
    const max = user.email_verified ? MAX_NEW.proven : MAX_NEW.unproven
    const budget = { subject: `organisation by ${user.id}`, max, windowMs: DAY_MS }
    await requireBudget(tx, budget, services.now(), 'Too many new organisations. Please wait.')
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

/**
 * `PUT /api/v1/organisations/{id}`: changes the named fields. 403 unless the caller manages it, 404.
 */
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

/**
 * `DELETE /api/v1/organisations/{id}`: 204, deletes it with all its records. 403 unless the caller owns
 * it, 404, 422 unless `name` repeats its name.
 */
export const deleteOrganisation = memberRoute(
  endpoints.deleteOrganisation,
  async ({ tx, user, organisation, path, body }) => {
    if (path.id !== organisation.id) throw notFound()
    if (!isOwner(user, organisation)) throw forbidden()
    const stored = await loadOrganisation(tx, user.id, organisation.id)
    if (stored?.name !== body.name)
      throw invalid({ name: ['Enter the name of the organisation exactly.'] })
    await removeOrganisation(tx, organisation.id)
  },
)
