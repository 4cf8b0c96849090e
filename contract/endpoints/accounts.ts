// Endpoints for accounts, the customers of an organisation.
import * as v from 'valibot'
import { Account, AccountDraft, AccountEdit, ACCOUNT_STATUSES } from '../schemas/accounts.ts'
import { endpoint, list, none, one } from '../endpoint.ts'
import { createPolicy, pathEditPolicy } from '../record-policies.ts'
import { Uuid } from '../schemas/fields.ts'
import { listQuery, anyOf } from '../list-query.ts'

export const accountEndpoints = {
  listAccounts: endpoint({
    resource: 'accounts',
    kind: 'list',
    method: 'GET',
    path: '/api/v1/accounts',
    query: listQuery(['name', 'renewal_date', 'arr', 'created_at', 'updated_at'], {
      title: v.optional(v.string()),
      status: anyOf(ACCOUNT_STATUSES),
      owner_id: v.optional(Uuid),
    }),
    answer: list(Account),
    who: 'member',
    offline: 'read',
  }),
  getAccount: endpoint({
    resource: 'accounts',
    kind: 'get',
    method: 'GET',
    path: '/api/v1/accounts/{id}',
    answer: one(Account),
    who: 'member',
    offline: 'read',
  }),
  createAccount: endpoint({
    resource: 'accounts',
    kind: 'create',
    method: 'POST',
    path: '/api/v1/accounts',
    body: AccountDraft,
    answer: one(Account),
    status: 201,
    who: 'member',
    offline: 'queue',
    offlinePolicy: createPolicy('accounts'),
  }),
  updateAccount: endpoint({
    resource: 'accounts',
    kind: 'update',
    method: 'PUT',
    path: '/api/v1/accounts/{id}',
    body: AccountEdit,
    answer: one(Account),
    who: 'member',
    offline: 'queue',
    offlinePolicy: pathEditPolicy<AccountEdit>('accounts'),
  }),
  deleteAccount: endpoint({
    resource: 'accounts',
    kind: 'delete',
    method: 'DELETE',
    path: '/api/v1/accounts/{id}',
    answer: none,
    status: 204,
    who: 'member',
    offline: 'online',
  }),
} as const
