// Endpoints for success plans and their updates.
import * as v from 'valibot'
import { endpoint, list, none, one } from '../endpoint.ts'
import { createPolicy, pathEditPolicy, withoutFields } from '../record-policies.ts'
import { Uuid, oneOf } from '../schemas/fields.ts'
import { listQuery, anyOf } from '../list-query.ts'
import {
  SuccessPlan,
  SuccessPlanDraft,
  SuccessPlanEdit,
  SuccessPlanUpdate,
  SuccessPlanUpdateDraft,
} from '../schemas/success-plans.ts'
import { PLAN_STATUSES, PLAN_TYPES } from '../values.ts'

/** The fields of the plan that an update changes. */
const planChangesIn = ({ progress, status, health }: SuccessPlanUpdateDraft) =>
  Object.fromEntries(
    Object.entries({ progress, status, health }).filter(([, value]) => value !== undefined),
  )

const pick = (fields: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))

export const successPlanEndpoints = {
  listSuccessPlans: endpoint({
    resource: 'success_plans',
    kind: 'list',
    method: 'GET',
    path: '/api/v1/success-plans',
    query: listQuery(['title', 'end_date', 'progress', 'created_at', 'updated_at'], {
      title: v.optional(v.string()),
      status: anyOf(PLAN_STATUSES),
      type: v.optional(oneOf(PLAN_TYPES)),
      account_id: v.optional(Uuid),
      owner_id: v.optional(Uuid),
    }),
    answer: list(SuccessPlan),
    who: 'member',
    offline: 'read',
  }),
  getSuccessPlan: endpoint({
    resource: 'success_plans',
    kind: 'get',
    method: 'GET',
    path: '/api/v1/success-plans/{id}',
    answer: one(SuccessPlan),
    who: 'member',
    offline: 'read',
  }),
  createSuccessPlan: endpoint({
    resource: 'success_plans',
    kind: 'create',
    method: 'POST',
    path: '/api/v1/success-plans',
    body: SuccessPlanDraft,
    answer: one(SuccessPlan),
    status: 201,
    who: 'member',
    offline: 'queue',
    offlinePolicy: createPolicy('success_plans'),
  }),
  updateSuccessPlan: endpoint({
    resource: 'success_plans',
    kind: 'update',
    method: 'PATCH',
    path: '/api/v1/success-plans/{id}',
    body: SuccessPlanEdit,
    answer: one(SuccessPlan),
    who: 'member',
    offline: 'queue',
    offlinePolicy: pathEditPolicy<SuccessPlanEdit>('success_plans'),
  }),
  deleteSuccessPlan: endpoint({
    resource: 'success_plans',
    kind: 'delete',
    method: 'DELETE',
    path: '/api/v1/success-plans/{id}',
    answer: none,
    status: 204,
    who: 'member',
    offline: 'online',
  }),
  listPlanUpdates: endpoint({
    resource: 'success_plan_updates',
    kind: 'list',
    method: 'GET',
    path: '/api/v1/success-plans/{id}/updates',
    query: listQuery(['written_at', 'created_at'], {}),
    answer: list(SuccessPlanUpdate),
    who: 'member',
    offline: 'read',
  }),
  postPlanUpdate: endpoint({
    resource: 'success_plan_updates',
    kind: 'append',
    method: 'POST',
    path: '/api/v1/success-plans/{id}/updates',
    body: SuccessPlanUpdateDraft,
    answer: one(SuccessPlanUpdate),
    status: 201,
    who: 'member',
    offline: 'queue',
    offlinePolicy: {
      lane: ({ path }) => `success-plan:${path.id}`,
      creates: ({ body }) => body.id,
      references: ({ path }) => [path.id],
      matches: ({ path, body }, update) =>
        update.id === body.id && update.success_plan_id === path.id,
      contentDiffers: ({ body }, update) => update.body !== (body.body ?? '').trim(),
      // The edited record is the plan, because an update may change its fields.
      edits: ({ path, body }) => {
        const fields = planChangesIn(body)
        return Object.keys(fields).length > 0 ? { id: path.id, fields } : undefined
      },
      omitFields: ({ path, body }, names) => {
        const removed = names.includes('status') ? [...names, 'outcome'] : names
        const rest = withoutFields(body, removed)
        const hasContent = rest && (rest.body || Object.keys(planChangesIn(rest)).length > 0)
        return hasContent ? { path, body: rest } : undefined
      },
      // A new status cannot be split off: pausing requires the note and completing the outcome.
      splitFields: ({ path, body }, names, id) =>
        names.includes('status')
          ? undefined
          : { path, body: { ...pick(planChangesIn(body), names), id } },
      version: ({ success_plan_version }) =>
        typeof success_plan_version === 'number' ? success_plan_version : undefined,
    },
  }),
} as const
