// Success plans: the list, one, create, edit, delete.
import type { Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { endpoints } from '../../contract/endpoints.ts'
import { FREE_LIMITS, canManage, isOpen } from '../../contract/rules.ts'
import { END_BEFORE_START, PLAN_STATUSES } from '../../contract/success-plans.ts'
import type { Tx } from '../database.ts'
import { requireMatch } from '../if-match.ts'
import { contains, orderBy } from '../list-query.ts'
import { writeProgress } from '../plan-progress.ts'
import { pageOf } from '../present.ts'
import { bury, requireMember, storedAlready } from '../records.ts'
import { forbidden, invalid, limitReached, notFound } from '../refusal.ts'
import { forMembers } from '../route.ts'
import { nextVersion, type Scope } from '../scope.ts'
import type { Tables } from '../tables.ts'

export type PlanRow = Selectable<Tables['success_plans']>

/** A row as the contract's record. Its actions and template are not part of this server yet. */
export const presentPlan = (row: PlanRow) => ({
  ...row,
  organisation_id: undefined,
  template_id: null,
  actions_count: 0,
  actions_done_count: 0,
})

/** The plan of that id. Throws a 404 Refusal when the organisation has none. */
export async function loadPlan(tx: Tx, organisation: Pick<Scope, 'id'>, id: string) {
  const row = await tx
    .selectFrom('success_plans')
    .selectAll()
    .where('organisation_id', '=', organisation.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

const answerPlan = async (tx: Tx, organisation: Scope, id: string) =>
  presentPlan(await loadPlan(tx, organisation, id))

export const listSuccessPlans = forMembers(
  endpoints.listSuccessPlans,
  async ({ tx, organisation, query }) => {
    const { title, status, type, account_id, owner_id } = query.filters ?? {}
    const matching = tx
      .selectFrom('success_plans')
      .where('organisation_id', '=', organisation.id)
      .$if(Boolean(title), (rows) => rows.where(contains('title', title ?? '')))
      .$if(Boolean(status), (rows) => rows.where('status', 'in', status ?? []))
      .$if(Boolean(type), (rows) => rows.where('type', '=', type ?? ''))
      .$if(Boolean(account_id), (rows) => rows.where('account_id', '=', account_id ?? null))
      .$if(Boolean(owner_id), (rows) => rows.where('owner_id', '=', owner_id ?? ''))
    const { limit, offset } = pageOf(query)
    const rows = await matching
      .selectAll()
      .orderBy(orderBy(query.sort ?? '-created_at', ['title']))
      .orderBy('id')
      .limit(limit)
      .offset(offset)
      .execute()
    const { total } = await matching
      .select((plans) => plans.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    return { data: rows.map(presentPlan), total }
  },
)

export const getSuccessPlan = forMembers(
  endpoints.getSuccessPlan,
  async ({ tx, organisation, path }) => ({ data: await answerPlan(tx, organisation, path.id) }),
)

export const createSuccessPlan = forMembers(
  endpoints.createSuccessPlan,
  async ({ tx, organisation, user, body, now }) => {
    const { id = uuidv7(), template_id, ...fields } = body
    const stored = await storedAlready(tx, 'success_plans', { organisation, user, id })
    if (stored) return { data: await answerPlan(tx, organisation, id), repeated: true }
    if (template_id) throw invalid({ template_id: ['There is no such template.'] })
    await requireAccount(tx, organisation, fields.account_id)
    await requireMember(tx, organisation.id, 'owner_id', fields.owner_id)
    const version = await nextVersion(tx, organisation.id)
    await requireRoom(tx, organisation)
    await tx
      .insertInto('success_plans')
      .values({
        ...fields,
        type: fields.type ?? 'customer',
        status: fields.status ?? 'planned',
        progress: fields.progress ?? 0,
        progress_mode: fields.progress_mode ?? 'manual',
        owner_id: fields.owner_id ?? user.id,
        organisation_id: organisation.id,
        id,
        version,
        created_by: user.id,
        created_at: now,
        updated_at: now,
      })
      .execute()
    return { data: await answerPlan(tx, organisation, id) }
  },
)

const OPEN_STATUSES = PLAN_STATUSES.filter((status) => isOpen({ status }))

async function requireRoom(tx: Tx, organisation: Scope) {
  if (organisation.plan !== 'free') return
  const { count } = await tx
    .selectFrom('success_plans')
    .where('organisation_id', '=', organisation.id)
    .where('status', 'in', OPEN_STATUSES)
    .select((plans) => plans.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const limit = FREE_LIMITS.active_success_plans
  if (count >= limit) throw limitReached('open success plans', limit)
}

async function requireAccount(tx: Tx, organisation: Scope, id: string | null | undefined) {
  if (id === null || id === undefined) return
  const account = await tx
    .selectFrom('accounts')
    .where('organisation_id', '=', organisation.id)
    .where('id', '=', id)
    .select('id')
    .executeTakeFirst()
  if (!account) throw invalid({ account_id: ['Choose an account of the organisation.'] })
}

export const updateSuccessPlan = forMembers(
  endpoints.updateSuccessPlan,
  async ({ tx, organisation, user, path, body, now, ifMatch }) => {
    const plan = await loadPlan(tx, organisation, path.id)
    requireMatch(ifMatch, presentPlan(plan))
    const { status, progress, health, note = '', outcome, ...fields } = body
    const merged = { ...plan, ...fields }
    if (merged.start_date && merged.end_date && merged.end_date < merged.start_date)
      throw invalid({ end_date: [END_BEFORE_START] })
    if (merged.type === 'customer' && !merged.account_id)
      throw invalid({ account_id: ['Choose the account that this plan is for.'] })
    await requireAccount(tx, organisation, fields.account_id)
    await requireMember(tx, organisation.id, 'owner_id', fields.owner_id)
    const moves = status !== undefined && status !== plan.status
    await tx
      .updateTable('success_plans')
      .set({
        ...fields,
        // Outside of a transition these two are plain fields; within one they belong to it.
        ...(!moves && outcome !== undefined && { outcome }),
        ...(health === null && { health }),
        version: await nextVersion(tx, organisation.id),
        updated_at: now,
      })
      .where('organisation_id', '=', organisation.id)
      .where('id', '=', path.id)
      .execute()
    const changes = moves || (progress ?? plan.progress) !== plan.progress
    if (changes || (health ?? plan.health) !== plan.health)
      await writeProgress(tx, organisation, await loadPlan(tx, organisation, path.id), {
        id: uuidv7(),
        user_id: user.id,
        body: note,
        status: moves ? status : undefined,
        progress: (progress ?? plan.progress) === plan.progress ? undefined : progress,
        health: health ?? undefined,
        outcome: outcome ?? undefined,
        written_at: now,
        now,
      })
    return { data: await answerPlan(tx, organisation, path.id) }
  },
)

export const deleteSuccessPlan = forMembers(
  endpoints.deleteSuccessPlan,
  async ({ tx, organisation, user, path, ifMatch }) => {
    const plan = await loadPlan(tx, organisation, path.id)
    requireMatch(ifMatch, presentPlan(plan))
    if (plan.created_by !== user.id && !canManage(user, organisation))
      throw forbidden('Only an admin may delete what somebody else created.')
    const updates = await tx
      .selectFrom('success_plan_updates')
      .select('id')
      .where('organisation_id', '=', organisation.id)
      .where('success_plan_id', '=', path.id)
      .execute()
    await bury(
      tx,
      organisation.id,
      'success_plan_updates',
      updates.map(({ id }) => id),
    )
    await bury(tx, organisation.id, 'success_plans', [path.id])
  },
)
