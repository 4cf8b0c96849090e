// Endpoints for the updates of success plans.
import { endpoint, list, one } from '../endpoint.ts'
import { isPast, withoutFields } from './record-policies.ts'
import { listQuery } from '../list-query.ts'
import { closingFields, progressAtCompletion } from '../rules.ts'
import {
  SuccessPlanUpdate,
  SuccessPlanUpdateDraft,
  repeatsStatus,
} from '../schemas/success-plans.ts'

/** The fields of the plan that an update changes. */
const planChangesIn = ({ progress, status, health, outcome }: SuccessPlanUpdateDraft) =>
  Object.fromEntries(
    Object.entries({ progress, status, health, outcome }).filter(
      ([, value]) => value !== undefined,
    ),
  )

/** What a plan gets with a new status, or a completed one with another outcome. */
const impliedBy = ({ status, outcome, body }: SuccessPlanUpdateDraft): Record<string, unknown> => ({
  ...(status ? closingFields(status, { outcome, body }) : outcome && body && { close_note: body }),
  ...((status ?? 'completed') === 'completed' &&
    outcome === 'achieved' && { progress: progressAtCompletion(0, outcome) }),
})

/** Completing requires an outcome, so that they are dropped together. */
const withStatus = (names: readonly string[]) =>
  names.includes('outcome') || names.includes('status') ? [...names, 'status', 'outcome'] : names

const pick = (fields: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))

export const planUpdateEndpoints = {
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
      created: {
        collection: 'success_plan_updates',
        parents: ({ path }) => ({ success_plan_id: path.id }),
        words: ({ body }) => ({ body: body.body ?? '' }),
        author: 'user_id',
      },
      asked: ({ body: { body, progress, status, health, written_at } }, created_at) => ({
        body,
        progress_to: progress,
        status_to: status,
        health,
        // A server that stores none has its own time, which differs little for an update that was just written.
        ...(isPast(written_at, created_at) && { written_at }),
      }),
      // They change the plan, and a server of the specification knows texts only.
      mustShow: ['progress_to', 'status_to', 'health'],
      // The edited record is the plan, because an update may change its fields.
      edits: ({ path, body }) => {
        const fields = planChangesIn(body)
        return Object.keys(fields).length > 0 ? { id: path.id, fields } : undefined
      },
      isDone: ({ body }, plan) => repeatsStatus(plan, body),
      implies: ({ body }) => impliedBy(body),
      omitFields: ({ path, body }, names) => {
        const rest = withoutFields(body, withStatus(names))
        const hasContent = rest && (rest.body || Object.keys(planChangesIn(rest)).length > 0)
        return hasContent ? { path, body: rest } : undefined
      },
      withoutEffects: ({ path, body }) => {
        const effects = planChangesIn(body)
        if (Object.keys(effects).length === 0) return undefined
        const note = withoutFields(body, Object.keys(effects))
        return {
          note: note?.body ? { path, body: note } : undefined,
          endpoint: 'updateSuccessPlan',
          edit: { path, body: effects },
        }
      },
      // A new status cannot be split off: pausing requires the note, completing the outcome, which the note explains.
      splitFields: ({ path, body }, names, id) =>
        names.includes('status') || names.includes('outcome')
          ? undefined
          : { path, body: { ...pick(planChangesIn(body), names), id } },
      // An outcome alone corrects that of a completed plan; with the status it completes another one.
      chosenOver: ({ path, body }, plan) => {
        const { status, ...rest } = body
        return status === plan.status && body.outcome ? { path, body: rest } : undefined
      },
      version: ({ success_plan_version }) =>
        typeof success_plan_version === 'number' ? success_plan_version : undefined,
    },
  }),
} as const
