// What a screen shows of accounts: what the server said, with what was said here since.
import type { Account } from '../../../contract/accounts.ts'
import type { endpoints } from '../../../contract/endpoints.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import type { Operation } from '../../sync/operation.ts'

type Creation = InputOf<typeof endpoints.createAccount>
type Edit = InputOf<typeof endpoints.updateAccount>

/**
 * The accounts of the organisation with everything said here folded in. An account that nothing
 * was said about stays the same object; a refused edit changes nothing, a refused new one stays.
 */
export function foldAccounts(
  cached: readonly Account[],
  operations: readonly Operation[],
): readonly Account[] {
  const about = operations.filter(
    ({ endpoint }) => endpoint === 'createAccount' || endpoint === 'updateAccount',
  )
  if (about.length === 0) return cached
  const accounts = new Map(cached.map((account) => [account.id, account]))
  for (const operation of about) {
    const account = foldOne(accounts, operation)
    if (account) accounts.set(account.id, account)
  }
  return [...accounts.values()]
}

function foldOne(accounts: ReadonlyMap<string, Account>, operation: Operation) {
  const answer =
    operation.state === 'acknowledged' ? (operation.answer as Account | undefined) : undefined
  if (operation.endpoint === 'createAccount') {
    const { body } = operation.input as Creation
    return accounts.get(body.id ?? '') ?? answer ?? drafted(body, operation)
  }
  const { path, body } = operation.input as Edit
  const account = accounts.get(path.id)
  if (!account || operation.state === 'attention') return account
  if (answer) return answer.version > account.version || answer.version === 0 ? answer : account
  return { ...account, ...contentOf(body, account), updated_at: operation.created_at }
}

function drafted(body: Creation['body'], operation: Operation): Account | undefined {
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
    owner_id: operation.user_id,
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
function contentOf({ contacts, ...body }: Edit['body'], account: Account): Partial<Account> {
  const named = Object.entries(body).filter(([, value]) => value !== undefined)
  const people = contacts?.map((contact, at) => ({
    id: contact.id ?? account.contacts[at]?.id ?? String(at),
    name: contact.name,
    email: contact.email ?? null,
    title: contact.title ?? null,
    role: contact.role ?? null,
    is_primary: contact.is_primary ?? false,
  }))
  return { ...Object.fromEntries(named), ...(people && { contacts: people }) }
}
