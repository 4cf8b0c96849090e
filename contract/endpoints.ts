// THE TABLE: every call that the app makes and the server answers. One name for one call: the same
// in the app, in the server's handler and in their tests.
import * as v from 'valibot'
import { Account, AccountDraft, AccountEdit, ACCOUNT_STATUSES } from './accounts.ts'
import { Changes } from './changes.ts'
import { Config } from './config.ts'
import { endpoint, list, none, one, raw } from './endpoint.ts'
import { Uuid, oneOf } from './fields.ts'
import {
  Organisation,
  OrganisationDeletion,
  OrganisationDraft,
  OrganisationEdit,
} from './organisations.ts'
import { listQuery, several } from './list-query.ts'
import { OrganisationUser, Profile, Registration, Tokens, User } from './people.ts'
import {
  PLAN_STATUSES,
  PLAN_TYPES,
  SuccessPlan,
  SuccessPlanDraft,
  SuccessPlanEdit,
  SuccessPlanUpdate,
  SuccessPlanUpdateDraft,
} from './success-plans.ts'

export const endpoints = {
  // Session
  register: endpoint({
    method: 'POST',
    path: '/api/v1/register',
    body: Registration,
    answer: one(User),
    status: 201,
    who: 'anyone',
    offline: 'online',
  }),
  issueToken: endpoint({
    method: 'POST',
    path: '/oauth/token',
    body: v.looseObject({ grant_type: v.string() }),
    answer: raw(Tokens),
    who: 'anyone',
    offline: 'online',
  }),
  getUserinfo: endpoint({
    method: 'GET',
    path: '/api/v1/userinfo',
    answer: one(User),
    who: 'user',
    offline: 'read',
  }),
  updateUserinfo: endpoint({
    method: 'PUT',
    path: '/api/v1/userinfo',
    body: Profile,
    answer: one(User),
    who: 'user',
    offline: 'queue',
    queueing: { lane: () => 'userinfo', confirms: (_input, user) => user.id !== undefined },
  }),

  // Organisations
  listOrganisations: endpoint({
    method: 'GET',
    path: '/api/v1/organisations',
    query: listQuery(['name', 'created_at'], {}),
    answer: list(Organisation),
    who: 'user',
    offline: 'read',
  }),
  getOrganisation: endpoint({
    method: 'GET',
    path: '/api/v1/organisations/{id}',
    answer: one(Organisation),
    who: 'user',
    offline: 'read',
  }),
  createOrganisation: endpoint({
    method: 'POST',
    path: '/api/v1/organisations',
    body: OrganisationDraft,
    answer: one(Organisation),
    status: 201,
    who: 'user',
    offline: 'online',
  }),
  updateOrganisation: endpoint({
    method: 'PUT',
    path: '/api/v1/organisations/{id}',
    body: OrganisationEdit,
    answer: one(Organisation),
    who: 'manager',
    offline: 'online',
  }),
  deleteOrganisation: endpoint({
    method: 'DELETE',
    path: '/api/v1/organisations/{id}',
    body: OrganisationDeletion,
    answer: none,
    status: 204,
    who: 'owner',
    offline: 'online',
  }),
  listOrganisationUsers: endpoint({
    method: 'GET',
    path: '/api/v1/organisation-users',
    query: listQuery(['name', 'created_at'], { title: v.optional(v.string()) }),
    answer: list(OrganisationUser),
    who: 'member',
    offline: 'read',
  }),

  // Accounts
  listAccounts: endpoint({
    method: 'GET',
    path: '/api/v1/accounts',
    query: listQuery(['name', 'renewal_date', 'arr', 'created_at', 'updated_at'], {
      title: v.optional(v.string()),
      status: several(ACCOUNT_STATUSES),
      owner_id: v.optional(Uuid),
    }),
    answer: list(Account),
    who: 'member',
    offline: 'read',
  }),
  getAccount: endpoint({
    method: 'GET',
    path: '/api/v1/accounts/{id}',
    answer: one(Account),
    who: 'member',
    offline: 'read',
  }),
  createAccount: endpoint({
    method: 'POST',
    path: '/api/v1/accounts',
    body: AccountDraft,
    answer: one(Account),
    status: 201,
    who: 'member',
    offline: 'queue',
    queueing: {
      lane: ({ body }) => `account:${body.id}`,
      creates: ({ body }) => body.id,
      confirms: ({ body }, account) => account.id === body.id,
      differs: ({ body }, account) => account.name !== body.name.trim(),
    },
  }),
  updateAccount: endpoint({
    method: 'PUT',
    path: '/api/v1/accounts/{id}',
    body: AccountEdit,
    answer: one(Account),
    who: 'member',
    offline: 'queue',
    queueing: {
      lane: ({ path }) => `account:${path.id}`,
      mentions: ({ path }) => [path.id],
      confirms: ({ path }, account) => account.id === path.id,
    },
  }),
  deleteAccount: endpoint({
    method: 'DELETE',
    path: '/api/v1/accounts/{id}',
    answer: none,
    status: 204,
    who: 'member',
    offline: 'online',
  }),

  // Success plans
  listSuccessPlans: endpoint({
    method: 'GET',
    path: '/api/v1/success-plans',
    query: listQuery(['title', 'end_date', 'progress', 'created_at', 'updated_at'], {
      title: v.optional(v.string()),
      status: several(PLAN_STATUSES),
      type: v.optional(oneOf(PLAN_TYPES)),
      account_id: v.optional(Uuid),
      owner_id: v.optional(Uuid),
    }),
    answer: list(SuccessPlan),
    who: 'member',
    offline: 'read',
  }),
  getSuccessPlan: endpoint({
    method: 'GET',
    path: '/api/v1/success-plans/{id}',
    answer: one(SuccessPlan),
    who: 'member',
    offline: 'read',
  }),
  createSuccessPlan: endpoint({
    method: 'POST',
    path: '/api/v1/success-plans',
    body: SuccessPlanDraft,
    answer: one(SuccessPlan),
    status: 201,
    who: 'member',
    offline: 'queue',
    queueing: {
      lane: ({ body }) => `success-plan:${body.id}`,
      creates: ({ body }) => body.id,
      mentions: ({ body }) => [body.account_id],
      confirms: ({ body }, plan) => plan.id === body.id,
      differs: ({ body }, plan) => plan.title !== body.title.trim(),
    },
  }),
  updateSuccessPlan: endpoint({
    method: 'PATCH',
    path: '/api/v1/success-plans/{id}',
    body: SuccessPlanEdit,
    answer: one(SuccessPlan),
    who: 'member',
    offline: 'queue',
    queueing: {
      lane: ({ path }) => `success-plan:${path.id}`,
      mentions: ({ path, body }) => [path.id, body.account_id],
      confirms: ({ path }, plan) => plan.id === path.id,
    },
  }),
  deleteSuccessPlan: endpoint({
    method: 'DELETE',
    path: '/api/v1/success-plans/{id}',
    answer: none,
    status: 204,
    who: 'member',
    offline: 'online',
  }),
  listPlanUpdates: endpoint({
    method: 'GET',
    path: '/api/v1/success-plans/{id}/updates',
    query: listQuery(['written_at', 'created_at'], {}),
    answer: list(SuccessPlanUpdate),
    who: 'member',
    offline: 'read',
  }),
  postPlanUpdate: endpoint({
    method: 'POST',
    path: '/api/v1/success-plans/{id}/updates',
    body: SuccessPlanUpdateDraft,
    answer: one(SuccessPlanUpdate),
    status: 201,
    who: 'member',
    offline: 'queue',
    queueing: {
      lane: ({ path }) => `success-plan:${path.id}`,
      creates: ({ body }) => body.id,
      mentions: ({ path }) => [path.id],
      confirms: ({ path, body }, update) =>
        update.id === body.id && update.success_plan_id === path.id,
      differs: ({ body }, update) => update.body !== (body.body ?? '').trim(),
    },
  }),

  // The device
  getChanges: endpoint({
    method: 'GET',
    path: '/api/v1/changes',
    query: v.strictObject({
      since: v.union([
        v.pipe(v.number(), v.integer(), v.minValue(0)),
        v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'Enter a version, from 0.'), v.transform(Number)),
      ]),
    }),
    answer: raw(Changes),
    who: 'member',
    offline: 'read',
  }),
  getConfig: endpoint({
    method: 'GET',
    path: '/config.json',
    answer: raw(Config),
    who: 'anyone',
    offline: 'read',
  }),
  getHealth: endpoint({
    method: 'GET',
    path: '/healthz',
    answer: raw(v.looseObject({})),
    who: 'anyone',
    offline: 'online',
  }),
  getReadiness: endpoint({
    method: 'GET',
    path: '/readyz',
    answer: raw(v.looseObject({})),
    who: 'anyone',
    offline: 'online',
  }),
} as const

export type EndpointName = keyof typeof endpoints
