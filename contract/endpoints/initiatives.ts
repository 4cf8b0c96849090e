// Initiatives and their actions.
import * as v from 'valibot'
import { Action, ActionDraft, ActionEdit, ACTION_STATUSES } from '../actions.ts'
import { editOfPath, endpoint, list, none, one, versionOf, withoutFields } from '../endpoint.ts'
import { Uuid } from '../fields.ts'
import { Initiative, InitiativeDraft, InitiativeEdit } from '../initiatives.ts'
import { listQuery, several } from '../list-query.ts'
import { PLAN_STATUSES } from '../values.ts'

/** Where a record stands and when it was ticked off is no matter of words: the later one holds, unasked. */
const UNASKED = ['position', 'completed_at']

export const initiativeEndpoints = {
  listInitiatives: endpoint({
    method: 'GET',
    path: '/api/v1/initiatives',
    query: listQuery(['position', 'title', 'end_date', 'created_at', 'updated_at'], {
      title: v.optional(v.string()),
      status: several(PLAN_STATUSES),
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
    queueing: {
      lane: ({ body }) => `initiative:${body.id}`,
      creates: ({ body }) => body.id,
      mentions: ({ body }) => [body.success_plan_id, body.account_id],
      confirms: ({ body }, initiative) => initiative.id === body.id,
      differs: ({ body }, initiative) => initiative.title !== body.title.trim(),
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
    queueing: {
      lane: ({ path }) => `initiative:${path.id}`,
      mentions: ({ path, body }) => [path.id, body.success_plan_id, body.account_id],
      confirms: ({ path }, initiative) => initiative.id === path.id,
      ...editOfPath<InitiativeEdit>(),
      edits: ({ path, body }) => ({ id: path.id, fields: withoutFields(body, UNASKED) ?? {} }),
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
      status: several(ACTION_STATUSES),
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
    queueing: {
      lane: ({ body }) => `action:${body.id}`,
      creates: ({ body }) => body.id,
      mentions: ({ body }) => [body.success_plan_id, body.initiative_id, body.account_id],
      confirms: ({ body }, action) => action.id === body.id,
      differs: ({ body }, action) => action.title !== body.title.trim(),
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
    queueing: {
      lane: ({ body }) => `action:${body.id}`,
      mentions: ({ body }) => [body.id, body.success_plan_id, body.initiative_id, body.account_id],
      confirms: ({ body }, action) => action.id === body.id,
      edits: ({ body: { id, ...fields } }) => ({
        id,
        fields: withoutFields(fields, UNASKED) ?? {},
      }),
      without: ({ body: { id, ...fields } }, names) => {
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
