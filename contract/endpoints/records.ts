// The calls of an organisation's records. Most resources have the five calls of record-calls.ts; what
// differs has a row of its own.
import * as v from 'valibot'
import { endpoint, one } from '../endpoint.ts'
import { anyOf, listQuery } from '../list-query.ts'
import { editPolicy } from './record-policies.ts'
import { Account, AccountDraft, AccountEdit, ACCOUNT_STATUSES } from '../schemas/accounts.ts'
import { Action, ActionDraft, ActionEdit, ACTION_STATUSES } from '../schemas/actions.ts'
import { oneOf, Uuid } from '../schemas/fields.ts'
import { Initiative, InitiativeDraft, InitiativeEdit } from '../schemas/initiatives.ts'
import { SuccessPlan, SuccessPlanDraft, SuccessPlanEdit } from '../schemas/success-plans.ts'
import { Template, TemplateDraft, TemplateEdit } from '../schemas/templates.ts'
import { PLAN_STATUSES, PLAN_TYPES } from '../values.ts'
import { organisationEndpoints } from './organisations.ts'
import { planUpdateEndpoints } from './plan-updates.ts'
import { recordCalls } from './record-calls.ts'

/** Of these, the last write wins. */
const LAST_WRITE_WINS = ['position', 'completed_at']

export const recordEndpoints = {
  ...organisationEndpoints,

  ...recordCalls('accounts', {
    path: '/api/v1/accounts',
    record: Account,
    draft: AccountDraft,
    edit: AccountEdit,
    query: listQuery(['name', 'renewal_date', 'arr', 'created_at', 'updated_at'], {
      title: v.optional(v.string()),
      status: anyOf(ACCOUNT_STATUSES),
      owner_id: v.optional(Uuid),
    }),
  }),

  ...recordCalls('success_plans', {
    path: '/api/v1/success-plans',
    record: SuccessPlan,
    draft: SuccessPlanDraft,
    edit: SuccessPlanEdit,
    editMethod: 'PATCH',
    alsoDeletes: ['success_plan_updates'],
    query: listQuery(['title', 'end_date', 'progress', 'created_at', 'updated_at'], {
      title: v.optional(v.string()),
      status: anyOf(PLAN_STATUSES),
      type: v.optional(oneOf(PLAN_TYPES)),
      account_id: v.optional(Uuid),
      owner_id: v.optional(Uuid),
    }),
  }),

  ...planUpdateEndpoints,

  ...recordCalls('initiatives', {
    path: '/api/v1/initiatives',
    record: Initiative,
    draft: InitiativeDraft,
    edit: InitiativeEdit,
    lastWriteWins: LAST_WRITE_WINS,
    query: listQuery(['position', 'title', 'end_date', 'created_at', 'updated_at'], {
      title: v.optional(v.string()),
      status: anyOf(PLAN_STATUSES),
      success_plan_id: v.optional(Uuid),
      account_id: v.optional(Uuid),
      owner_id: v.optional(Uuid),
    }),
  }),

  ...recordCalls('actions', {
    path: '/api/v1/actions',
    record: Action,
    draft: ActionDraft,
    edit: ActionEdit,
    lastWriteWins: LAST_WRITE_WINS,
    // That of its initiative.
    derived: ['success_plan_id'],
    query: listQuery(['position', 'title', 'due_date', 'created_at', 'updated_at'], {
      title: v.optional(v.string()),
      status: anyOf(ACTION_STATUSES),
      success_plan_id: v.optional(Uuid),
      initiative_id: v.optional(Uuid),
      account_id: v.optional(Uuid),
      assignee_id: v.optional(Uuid),
    }),
  }),
  // The id is in its body.
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
      lastWriteWins: LAST_WRITE_WINS,
    }),
  }),

  ...recordCalls('templates', {
    capability: 'templates',
    path: '/api/v1/templates',
    record: Template,
    draft: TemplateDraft,
    edit: TemplateEdit,
    writer: 'manager',
    query: listQuery(['title', 'created_at', 'updated_at'], {
      title: v.optional(v.string()),
      type: v.optional(oneOf(PLAN_TYPES)),
    }),
  }),
} as const
