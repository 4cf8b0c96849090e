// What a screen shows of accounts: what the server said, with what was said here since.
import type { Account } from '../../../contract/schemas/accounts.ts'
import type { endpoints } from '../../../contract/endpoints.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { applyOperations, definedFields } from '../optimistic.ts'

type Draft = InputOf<typeof endpoints.createAccount>['body']
type Edit = InputOf<typeof endpoints.updateAccount>['body']

/** The accounts of the organisation with everything said here folded in. */
export const foldAccounts = (
  cached: readonly Account[],
  operations: readonly Operation[],
): readonly Account[] =>
  applyOperations(cached, operations, {
    creation: 'createAccount',
    edit: 'updateAccount',
    fromCreate,
    applyEdit: (account, operation) => ({
      ...account,
      ...contentOf(operation.input.body as Edit, account),
      updated_at: operation.created_at,
    }),
  })

function fromCreate(operation: Operation): Account | undefined {
  const body = operation.input.body as Draft
  if (body.id === undefined) return undefined
  const blank: Account = {
    id: body.id,
    name: body.name,
    website: null,
    industry: null,
    tier: null,
    status: 'active',
    health: null,
    arr: null,
    currency: 'USD',
    renewal_date: null,
    owner_id: null,
    contacts: [],
    notes: null,
    tags: [],
    success_plans_count: 0,
    version: 0,
    created_by: operation.user_id,
    created_at: operation.created_at,
    updated_at: operation.created_at,
  }
  return { ...blank, ...contentOf(body, blank) }
}

/** The fields that a request names, in the shape in which records are read. */
function contentOf({ contacts, ...body }: Edit, account: Account): Partial<Account> {
  const people = contacts?.map((contact, at) => ({
    id: contact.id ?? account.contacts[at]?.id ?? String(at),
    name: contact.name,
    email: contact.email ?? null,
    title: contact.title ?? null,
    role: contact.role ?? null,
    is_primary: contact.is_primary ?? false,
  }))
  return { ...definedFields(body), ...(people && { contacts: people }) }
}
