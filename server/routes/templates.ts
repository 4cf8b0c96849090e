// Templates of plans.
import type { Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type * as v from 'valibot'
import { endpoints } from '../../contract/endpoints.ts'
import { canManage } from '../../contract/roles.ts'
import type { TemplateEdit, TemplateInitiative } from '../../contract/schemas/templates.ts'
import type { Tx } from '../database/connection.ts'
import { requireMatch } from '../http/if-match.ts'
import { contains, findPage } from '../http/list-query.ts'
import { requireCapacity } from '../domain/plan-limits.ts'
import { templateFromPlan } from '../domain/plan-template.ts'
import { deleteWithTombstones, requireRecord, wasCreated } from '../domain/records.ts'
import { forbidden, notFound } from '../errors/http-error.ts'
import { memberRoute } from '../http/route.ts'
import { nextVersion, type OrganisationScope } from '../domain/organisation.ts'
import { presentRecord } from '../database/record-columns.ts'
import type { Tables } from '../database/tables.ts'
import { loadPlan } from './success-plans.ts'

/** A row as the contract's record. */
const presentTemplate = (row: Selectable<Tables['templates']>) => presentRecord('templates', row)

async function loadTemplate(tx: Tx, organisation: OrganisationScope, id: string) {
  const row = await tx
    .selectFrom('templates')
    .selectAll()
    .where('organisation_id', '=', organisation.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return presentTemplate(row)
}

/** `GET /api/v1/templates`: a page of templates, filtered by title and type. */
export const listTemplates = memberRoute(
  endpoints.listTemplates,
  async ({ tx, organisation, query }) => {
    const { title, type } = query.filters ?? {}
    const matching = tx
      .selectFrom('templates')
      .where('organisation_id', '=', organisation.id)
      .$if(Boolean(title), (rows) => rows.where(contains('title', title ?? '')))
      .$if(Boolean(type), (rows) => rows.where('type', '=', type ?? null))
    return findPage(matching.selectAll(), {
      query,
      organisation,
      sort: query.sort ?? 'title',
      textColumns: ['title'],
      mayBeLarge: true,
      present: presentTemplate,
    })
  },
)

/** `GET /api/v1/templates/{id}`: one template. 404. */
export const getTemplate = memberRoute(
  endpoints.getTemplate,
  async ({ tx, organisation, path }) => ({ data: await loadTemplate(tx, organisation, path.id) }),
)

type Initiatives = NonNullable<v.InferOutput<typeof TemplateEdit>['initiatives']>

const storedInitiatives = (initiatives: Initiatives) =>
  JSON.stringify(
    initiatives.map(({ actions, description = null, ...initiative }): TemplateInitiative => ({
      ...initiative,
      description,
      actions: actions.map(({ description = null, assignee_role = null, ...action }) => ({
        ...action,
        description,
        assignee_role,
      })),
    })),
  )

/**
 * `POST /api/v1/templates`: 201, or 200 when the same user already created this id. `from_success_plan_id`
 * copies a plan's work. 403 unless the caller manages the organisation or at the plan's limit, 422.
 */
export const createTemplate = memberRoute(
  endpoints.createTemplate,
  async ({ tx, organisation, user, body, now }) => {
    if (!canManage(user, organisation)) throw forbidden()
    const { id = uuidv7(), from_success_plan_id, ...written } = body
    if (await wasCreated(tx, 'templates', { organisation, user, id }))
      return { data: await loadTemplate(tx, organisation, id), repeated: true }
    const source = 'from_success_plan_id'
    await requireRecord(tx, organisation.id, 'success_plans', source, from_success_plan_id)
    const plan = from_success_plan_id && (await loadPlan(tx, organisation, from_success_plan_id))
    const saved = plan ? { ...plan, ...(await templateFromPlan(tx, plan)) } : undefined
    const version = await nextVersion(tx, organisation.id)
    await requireCapacity(tx, organisation, 'templates')
    await tx
      .insertInto('templates')
      .values({
        // The schema requires a title, unless a plan provides it.
        title: written.title ?? saved?.title ?? '',
        description: written.description ?? saved?.description ?? null,
        type: written.type ?? saved?.type ?? null,
        duration_days: written.duration_days ?? saved?.duration_days ?? 1,
        update_cadence_days: written.update_cadence_days ?? saved?.update_cadence_days ?? null,
        initiatives: written.initiatives
          ? storedInitiatives(written.initiatives)
          : JSON.stringify(saved?.initiatives ?? []),
        organisation_id: organisation.id,
        id,
        version,
        created_by: user.id,
        created_at: now,
        updated_at: now,
      })
      .execute()
    return { data: await loadTemplate(tx, organisation, id) }
  },
)

/**
 * `PUT /api/v1/templates/{id}`: changes the named fields. 403 unless the caller manages the organisation,
 * 404, 412.
 */
export const updateTemplate = memberRoute(
  endpoints.updateTemplate,
  async ({ tx, organisation, user, path, body, now, ifMatch }) => {
    const stored = await loadTemplate(tx, organisation, path.id)
    if (!canManage(user, organisation)) throw forbidden()
    await requireMatch(tx, ifMatch, 'templates', stored)
    const { initiatives, ...fields } = body
    await tx
      .updateTable('templates')
      .set({
        ...fields,
        ...(initiatives && { initiatives: storedInitiatives(initiatives) }),
        version: await nextVersion(tx, organisation.id),
        updated_at: now,
      })
      .where('organisation_id', '=', organisation.id)
      .where('id', '=', path.id)
      .execute()
    return { data: await loadTemplate(tx, organisation, path.id) }
  },
)

/**
 * `DELETE /api/v1/templates/{id}`: 204. 403 unless the caller manages the organisation, 404, 412.
 */
export const deleteTemplate = memberRoute(
  endpoints.deleteTemplate,
  async ({ tx, organisation, user, path, ifMatch }) => {
    const template = await loadTemplate(tx, organisation, path.id)
    if (!canManage(user, organisation)) throw forbidden()
    await requireMatch(tx, ifMatch, 'templates', template)
    await deleteWithTombstones(tx, organisation.id, 'templates', [path.id])
  },
)
