// The customers.
import * as v from 'valibot'
import { Account, AccountDraft, AccountEdit, ACCOUNT_STATUSES } from '../schemas/accounts.ts'
import { pathEditPolicy, endpoint, list, none, one, versionOf } from '../endpoint.ts'
import { Uuid } from '../schemas/fields.ts'
import { listQuery, anyOf } from '../list-query.ts'

export const accountEndpoints = {
  listAccounts: endpoint({
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
    offlinePolicy: {
      lane: ({ body }) => `account:${body.id}`,
      creates: ({ body }) => body.id,
      matches: ({ body }, account) => account.id === body.id,
      contentDiffers: ({ body }, account) => account.name !== body.name.trim(),
      version: versionOf,
    },
  }),
  updateAccount: endpoint({
    method: 'PUT',
    path: '/api/v1/accounts/{id}',
    body: AccountEdit,
    answer: one(Account),
    who: 'member',
    offline: 'queue',
    offlinePolicy: {
      lane: ({ path }) => `account:${path.id}`,
      references: ({ path }) => [path.id],
      matches: ({ path }, account) => account.id === path.id,
      ...pathEditPolicy<AccountEdit>(),
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
} as const
