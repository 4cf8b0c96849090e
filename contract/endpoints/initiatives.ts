// Initiatives and their actions.
import * as v from 'valibot'
import { Action, ActionDraft, ActionEdit, ACTION_STATUSES } from '../schemas/actions.ts'
import { pathEditPolicy, endpoint, list, none, one, versionOf, withoutFields } from '../endpoint.ts'
import { Uuid } from '../schemas/fields.ts'
import { Initiative, InitiativeDraft, InitiativeEdit } from '../schemas/initiatives.ts'
import { listQuery, anyOf } from '../list-query.ts'
import { PLAN_STATUSES } from '../values.ts'

/** Where a record stands and when it was ticked off is no matter of words: the later one holds, unasked. */
const LAST_WRITE_WINS_FIELDS = ['position', 'completed_at']

export const initiativeEndpoints = {
  listInitiatives: endpoint({
    method: 'GET',
    path: '/api/v1/initiatives',
    query: listQuery(['position', 'title', 'end_date', 'created_at', 'updated_at'], {
      title: v.optional(v.string()),
      status: anyOf(PLAN_STATUSES),
      success_plan_id: v.optional(Uuid),
      account_id: v.optional(Uuid),
      owner_id: v.optional(Uuid),
    }),
    answer: list(Initiative),
    who: 'member',
    offline: 'read',
  }),
  getInitiative: endpoint({
    method: 'GET',
    path: '/api/v1/initiatives/{id}',
    answer: one(Initiative),
    who: 'member',
    offline: 'read',
  }),
  createInitiative: endpoint({
    method: 'POST',
    path: '/api/v1/initiatives',
    body: InitiativeDraft,
    answer: one(Initiative),
    status: 201,
    who: 'member',
    offline: 'queue',
    offlinePolicy: {
      lane: ({ body }) => `initiative:${body.id}`,
      creates: ({ body }) => body.id,
      references: ({ body }) => [body.success_plan_id, body.account_id],
      matches: ({ body }, initiative) => initiative.id === body.id,
      contentDiffers: ({ body }, initiative) => initiative.title !== body.title.trim(),
      version: versionOf,
    },
  }),
  updateInitiative: endpoint({
    method: 'PUT',
    path: '/api/v1/initiatives/{id}',
    body: InitiativeEdit,
    answer: one(Initiative),
    who: 'member',
    offline: 'queue',
    offlinePolicy: {
      lane: ({ path }) => `initiative:${path.id}`,
      references: ({ path, body }) => [path.id, body.success_plan_id, body.account_id],
      matches: ({ path }, initiative) => initiative.id === path.id,
      ...pathEditPolicy<InitiativeEdit>(),
      edits: ({ path, body }) => ({
        id: path.id,
        fields: withoutFields(body, LAST_WRITE_WINS_FIELDS) ?? {},
      }),
    },
  }),
  deleteInitiative: endpoint({
    method: 'DELETE',
    path: '/api/v1/initiatives/{id}',
    answer: none,
    status: 204,
    who: 'member',
    offline: 'online',
  }),

  listActions: endpoint({
    method: 'GET',
    path: '/api/v1/actions',
    query: listQuery(['position', 'title', 'due_date', 'created_at', 'updated_at'], {
      title: v.optional(v.string()),
      status: anyOf(ACTION_STATUSES),
      success_plan_id: v.optional(Uuid),
      initiative_id: v.optional(Uuid),
      account_id: v.optional(Uuid),
      assignee_id: v.optional(Uuid),
    }),
    answer: list(Action),
    who: 'member',
    offline: 'read',
  }),
  createAction: endpoint({
    method: 'POST',
    path: '/api/v1/actions',
    body: ActionDraft,
    answer: one(Action),
    status: 201,
    who: 'member',
    offline: 'queue',
    offlinePolicy: {
      lane: ({ body }) => `action:${body.id}`,
      creates: ({ body }) => body.id,
      references: ({ body }) => [body.success_plan_id, body.initiative_id, body.account_id],
      matches: ({ body }, action) => action.id === body.id,
      contentDiffers: ({ body }, action) => action.title !== body.title.trim(),
      version: versionOf,
    },
  }),
  updateAction: endpoint({
    method: 'PUT',
    path: '/api/v1/actions',
    body: ActionEdit,
    answer: one(Action),
    who: 'member',
    offline: 'queue',
    offlinePolicy: {
      lane: ({ body }) => `action:${body.id}`,
      references: ({ body }) => [
        body.id,
        body.success_plan_id,
        body.initiative_id,
        body.account_id,
      ],
      matches: ({ body }, action) => action.id === body.id,
      edits: ({ body: { id, ...fields } }) => ({
        id,
        fields: withoutFields(fields, LAST_WRITE_WINS_FIELDS) ?? {},
      }),
      omitFields: ({ body: { id, ...fields } }, names) => {
        const left = withoutFields(fields, names)
        return left && { body: { ...left, id } }
      },
      version: versionOf,
    },
  }),
  deleteAction: endpoint({
    method: 'DELETE',
    path: '/api/v1/actions/{id}',
    answer: none,
    status: 204,
    who: 'member',
    offline: 'online',
  }),
} as const
