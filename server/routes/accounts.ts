// Accounts, the customers of an organisation.
import type { ExpressionBuilder, Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type * as v from 'valibot'
import type {
  Account,
  AccountEdit,
  Renewal,
  RenewalDraft,
} from '../../contract/schemas/accounts.ts'
import { clampToNow } from '../../contract/rules.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { resourceNames, resourceOf, type ResourceName } from '../../contract/resources.ts'
import { canManage } from '../../contract/roles.ts'
import { deleteWithTombstones, requireReferences, wasCreated } from '../domain/records.ts'
import type { Tx } from '../database/connection.ts'
import { requireMatch } from '../http/if-match.ts'
import { contains, findPage } from '../http/list-query.ts'
import { requireCapacity } from '../domain/plan-limits.ts'
import { forbidden, invalid, notFound } from '../errors/http-error.ts'
import { memberRoute } from '../http/route.ts'
import { nextVersion, type OrganisationScope } from '../domain/organisation.ts'
import { presentRecord } from '../database/record-columns.ts'
import type { Tables } from '../database/tables.ts'

const plansCount = (row: ExpressionBuilder<Tables, 'accounts'>) =>
  row
    .selectFrom('success_plans')
    .whereRef('success_plans.organisation_id', '=', 'accounts.organisation_id')
    .whereRef('success_plans.account_id', '=', 'accounts.id')
    .select((plans) => plans.fn.countAll<number>().as('count'))
    .as('success_plans_count')

type AccountRow = Selectable<Tables['accounts']> & { success_plans_count: number | null }

/** A row as the contract's record. */
export const presentAccount = (row: AccountRow) =>
  presentRecord('accounts', { ...row, success_plans_count: row.success_plans_count ?? 0 })

/** Query for the accounts of an organisation, each with the number of its plans. */
export const selectAccounts = (tx: Tx, organisation_id: string) =>
  tx
    .selectFrom('accounts')
    .where('accounts.organisation_id', '=', organisation_id)
    .selectAll('accounts')
    .select(plansCount)

const findAccount = async (tx: Tx, organisation_id: string, id: string) => {
  const row = await selectAccounts(tx, organisation_id).where('id', '=', id).executeTakeFirst()
  return row && presentAccount(row)
}

const loadAccount = async (tx: Tx, organisation: OrganisationScope, id: string) => {
  const account = await findAccount(tx, organisation.id, id)
  if (!account) throw notFound()
  return account
}

/**
 * The columns for the fields of a request. Contacts without an id get one; those without a phone number keep the one
 * that is stored: apps of an earlier version do not send it.
 */
function columnsOf(
  { contacts, tags, renewal_outcome: _appended, ...fields }: v.InferOutput<typeof AccountEdit>,
  stored: Account['contacts'] = [],
) {
  const phones = new Map(stored.map(({ id, phone }) => [id, phone]))
  return {
    ...fields,
    ...(contacts && {
      contacts: JSON.stringify(
        contacts.map(
          ({ id = uuidv7(), name, email, phone = phones.get(id), title, role, is_primary }) => ({
            id,
            name,
            email: email ?? null,
            phone: phone ?? null,
            title: title ?? null,
            role: role ?? null,
            is_primary,
          }),
        ),
      ),
    }),
    ...(tags && { tags: JSON.stringify(tags) }),
  }
}

interface RenewalContext {
  /** What is stored. */
  renewals: readonly Renewal[]
  currency: string
  user_id: string
  now: string
}

/** Each read of an account and of its list returns all of them. */
const MAX_RENEWALS = 200

/**
 * The column with an outcome added; empty without one, or for one that is stored already. Throws a 422 HttpError
 * for an account with MAX_RENEWALS of them.
 */
function renewalColumn(
  outcome: v.InferOutput<typeof RenewalDraft> | undefined,
  { renewals, currency, user_id, now }: RenewalContext,
) {
  if (!outcome || renewals.some(({ id }) => id === outcome.id)) return {}
  if (renewals.length >= MAX_RENEWALS)
    throw invalid({ renewal_outcome: [`An account has at most ${MAX_RENEWALS} outcomes.`] })
  const { amount = null, next_date = null, note = null } = outcome
  const recorded_at = clampToNow(outcome.recorded_at, now)
  const added = { ...outcome, amount, next_date, note, currency, user_id, recorded_at }
  return { renewals: JSON.stringify([...renewals, added]) }
}

/** `GET /api/v1/accounts`: a page of accounts, filtered by title, status and owner. */
export const listAccounts = memberRoute(
  endpoints.listAccounts,
  async ({ tx, organisation, query }) => {
    const { title, status, owner_id } = query.filters ?? {}
    const matching = tx
      .selectFrom('accounts')
      .where('accounts.organisation_id', '=', organisation.id)
      .$if(Boolean(title), (rows) => rows.where(contains('name', title ?? '')))
      .$if(Boolean(status), (rows) => rows.where('status', 'in', status ?? []))
      .$if(Boolean(owner_id), (rows) => rows.where('owner_id', '=', owner_id ?? null))
    return findPage(matching.selectAll('accounts').select(plansCount), {
      query,
      organisation,
      sort: query.sort ?? 'name',
      textColumns: ['name'],
      mayBeLarge: true,
      present: presentAccount,
    })
  },
)

/** `GET /api/v1/accounts/{id}`: one account. 404. */
export const getAccount = memberRoute(endpoints.getAccount, async ({ tx, organisation, path }) => ({
  data: await loadAccount(tx, organisation, path.id),
}))

/**
 * `POST /api/v1/accounts`: 201, or 200 when the same user already created this id. 403 at the plan's
 * limit, 422 for an owner who is no member.
 */
export const createAccount = memberRoute(
  endpoints.createAccount,
  async ({ tx, organisation, user, body, now }) => {
    const { id = uuidv7(), ...fields } = body
    const stored = await wasCreated(tx, 'accounts', { organisation, user, id })
    if (stored) return { data: await loadAccount(tx, organisation, id), repeated: true }
    await requireReferences(tx, organisation.id, 'accounts', fields)
    const version = await nextVersion(tx, organisation.id)
    await requireCapacity(tx, organisation, 'accounts')
    const { contacts = '[]', tags = '[]', ...columns } = columnsOf(fields)
    const currency = fields.currency ?? organisation.currency
    const { renewals = '[]' } = renewalColumn(fields.renewal_outcome, {
      renewals: [],
      currency,
      user_id: user.id,
      now,
    })
    await tx
      .insertInto('accounts')
      .values({
        ...columns,
        contacts,
        tags,
        renewals,
        name: fields.name,
        status: fields.status ?? 'active',
        currency,
        organisation_id: organisation.id,
        id,
        version,
        created_by: user.id,
        created_at: now,
        updated_at: now,
      })
      .execute()
    return { data: await loadAccount(tx, organisation, id) }
  },
)

/**
 * `PUT /api/v1/accounts/{id}`: changes the named fields only. 404, 412, 422 for an owner who is no
 * member, and for an outcome of a renewal above 200.
 */
export const updateAccount = memberRoute(
  endpoints.updateAccount,
  async ({ tx, organisation, user, path, body, now, ifMatch }) => {
    const stored = await loadAccount(tx, organisation, path.id)
    await requireMatch(tx, ifMatch, 'accounts', stored)
    await requireReferences(tx, organisation.id, 'accounts', body, stored)
    const version = await nextVersion(tx, organisation.id)
    // Read after the organisation is locked, so that no outcome or phone number of another request is lost.
    const { contacts, renewals, currency } = await loadAccount(tx, organisation, path.id)
    const renewal = renewalColumn(body.renewal_outcome, {
      renewals,
      currency: body.currency ?? currency,
      user_id: user.id,
      now,
    })
    await tx
      .updateTable('accounts')
      .set({ ...columnsOf(body, contacts), ...renewal, version, updated_at: now })
      .where('organisation_id', '=', organisation.id)
      .where('id', '=', path.id)
      .execute()
    return { data: await loadAccount(tx, organisation, path.id) }
  },
)

/** Resources with an `account_id`, besides plans, which are counted. */
const CHILDREN = resourceNames.filter(
  (name) => name !== 'success_plans' && resourceOf(name).parents?.['account_id'] === 'accounts',
)

/**
 * `DELETE /api/v1/accounts/{id}`: 204. 403 unless created by the caller or the caller manages the
 * organisation, 404, 412, 422 while other records belong to it.
 */
export const deleteAccount = memberRoute(
  endpoints.deleteAccount,
  async ({ tx, organisation, user, path, ifMatch }) => {
    const account = await loadAccount(tx, organisation, path.id)
    await requireMatch(tx, ifMatch, 'accounts', account)
    if (account.created_by !== user.id && !canManage(user, organisation))
      throw forbidden('Only an admin can delete what someone else created.')
    if (account.success_plans_count)
      throw invalid({ id: ['Delete the success plans of this account first.'] })
    for (const kind of CHILDREN)
      if (await isReferencedBy(tx, organisation, kind, path.id))
        throw invalid({ id: [`Delete the ${kind.replaceAll('_', ' ')} of this account first.`] })
    await deleteWithTombstones(tx, organisation.id, 'accounts', [path.id])
  },
)

const isReferencedBy = async (
  tx: Tx,
  organisation: OrganisationScope,
  kind: ResourceName,
  account_id: string,
) =>
  tx
    // All of these tables have the columns that are used here.
    .selectFrom(kind as 'initiatives')
    .select('id')
    .where('organisation_id', '=', organisation.id)
    .where('account_id', '=', account_id)
    .limit(1)
    .executeTakeFirst()
