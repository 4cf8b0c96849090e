// Endpoints for initiatives and their actions.
import * as v from 'valibot'
import { Action, ActionDraft, ActionEdit, ACTION_STATUSES } from '../schemas/actions.ts'
import { endpoint, list, none, one } from '../endpoint.ts'
import { createPolicy, editPolicy, pathEditPolicy } from '../record-policies.ts'
import { Uuid } from '../schemas/fields.ts'
import { Initiative, InitiativeDraft, InitiativeEdit } from '../schemas/initiatives.ts'
import { listQuery, anyOf } from '../list-query.ts'
import { PLAN_STATUSES } from '../values.ts'

/** Concurrent changes of these are never a conflict for the user to resolve: the last write wins. */
const LAST_WRITE_WINS_FIELDS = ['position', 'completed_at']

export const initiativeEndpoints = {
  listInitiatives: endpoint({
    resource: 'initiatives',
    kind: 'list',
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
    resource: 'initiatives',
    kind: 'get',
    method: 'GET',
    path: '/api/v1/initiatives/{id}',
    answer: one(Initiative),
    who: 'member',
    offline: 'read',
  }),
  createInitiative: endpoint({
    resource: 'initiatives',
    kind: 'create',
    method: 'POST',
    path: '/api/v1/initiatives',
    body: InitiativeDraft,
    answer: one(Initiative),
    status: 201,
    who: 'member',
    offline: 'queue',
    offlinePolicy: createPolicy('initiatives'),
  }),
  updateInitiative: endpoint({
    resource: 'initiatives',
    kind: 'update',
    method: 'PUT',
    path: '/api/v1/initiatives/{id}',
    body: InitiativeEdit,
    answer: one(Initiative),
    who: 'member',
    offline: 'queue',
    offlinePolicy: pathEditPolicy<InitiativeEdit>('initiatives', LAST_WRITE_WINS_FIELDS),
  }),
  deleteInitiative: endpoint({
    resource: 'initiatives',
    kind: 'delete',
    method: 'DELETE',
    path: '/api/v1/initiatives/{id}',
    answer: none,
    status: 204,
    who: 'member',
    offline: 'online',
  }),

  listActions: endpoint({
    resource: 'actions',
    kind: 'list',
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
    resource: 'actions',
    kind: 'create',
    method: 'POST',
    path: '/api/v1/actions',
    body: ActionDraft,
    answer: one(Action),
    status: 201,
    who: 'member',
    offline: 'queue',
    offlinePolicy: createPolicy('actions'),
  }),
  updateAction: endpoint({
    resource: 'actions',
    kind: 'update',
    method: 'PUT',
    path: '/api/v1/actions',
    body: ActionEdit,
    answer: one(Action),
    who: 'member',
    offline: 'queue',
    offlinePolicy: editPolicy<{ body: ActionEdit }>('actions', {
      idOf: ({ body }) => body.id,
      fieldsOf: ({ body: { id: _id, ...fields } }) => fields,
      withFields: ({ body: { id } }, fields) => ({ body: { ...fields, id } }),
      lastWriteWins: LAST_WRITE_WINS_FIELDS,
    }),
  }),
  deleteAction: endpoint({
    resource: 'actions',
    kind: 'delete',
    method: 'DELETE',
    path: '/api/v1/actions/{id}',
    answer: none,
    status: 204,
    who: 'member',
    offline: 'online',
  }),
} as const
