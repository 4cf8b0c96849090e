// Aliases: which id of the server took the place of an id made on this device. A record has a local id
// until the answer to its create brings the server's, which replaces it wherever it is stored, in one
// transaction. What is only in memory, or written by another build, is resolved when it is used.
import { isSameServer } from '../api/address.ts'
import { readOperations, type Operation } from '../operation.ts'
import type {
  ApiAddress,
  ApiCalls,
  CallInput,
  OfflinePolicy,
  Ports,
  Transaction,
} from '../ports.ts'
import { replaceIds, withId } from './content.ts'

/** A record's id on this device, and the one that the server gave it. Stored: fields are never renamed. */
export interface Alias {
  user_id: string
  organisation_id: string | null
  /** The collection of the record: two collections may use the same ids. */
  table: string
  local: string
  id: string
  /** The base URL of the API whose server gave it. Absent in aliases of earlier builds. */
  api?: string
  /** Device clock, epoch milliseconds. */
  created_at: number
}

/** The stores that a new alias is written to. */
export const ALIASED_STORES = ['operations', 'cache', 'drafts', 'session'] as const
/** First element of their keys in the store `session`, which making room and a sign-out leave alone. */
const PREFIX = 'alias'
const RETENTION_MS = 90 * 86_400_000
/** Of the replica, values stored by name: recently opened records, for example. */
const isNamedValue = (name: string | undefined) => name?.startsWith('=') === true

const keyOf = ({ user_id, organisation_id, table, local }: Alias): string[] => [
  PREFIX,
  user_id,
  organisation_id ?? '',
  table,
  local,
]

const UUID = /^[\da-f-]{36}$/i

/** The aliases of a user, or of all users. The transaction includes the store `session`. */
export async function readAliases(tx: Transaction, user_id?: string): Promise<Alias[]> {
  const stored = await tx.all('session', user_id === undefined ? [PREFIX] : [PREFIX, user_id])
  // Earlier builds could store an id of the server as a local one.
  return (stored as Alias[]).filter(({ local }) => UUID.test(local))
}

/** The aliases of all users at that server. */
export const aliasesAt = async (tx: Transaction, address: ApiAddress): Promise<Alias[]> =>
  (await readAliases(tx)).filter(({ api }) => isSameServer(address, api))

/** The ids to replace, by local id. Local ids are UUIDs of this device, so no other id equals one: see `isLocal`. */
export const idsOf = (aliases: readonly Alias[]): ReadonlyMap<string, string> =>
  new Map(aliases.map(({ local, id }) => [local, id]))

/** Whether the id was made on this device. One of the server's in an alias would change what names other records. */
export const isLocal = (id: string, aliases: readonly Alias[]): boolean =>
  UUID.test(id) && aliases.every((one) => one.id !== id)

/**
 * The input, with a new id for the record that it creates if its own has stood for another one: a record that was
 * deleted has the same id again when it is imported once more.
 */
export function withUnusedId(
  input: CallInput,
  { creates }: OfflinePolicy,
  aliases: readonly Alias[],
  random: Ports['random'],
): CallInput {
  const own = creates?.(input)
  const isUsed = aliases.some(({ local, id }) => own === local || own === id)
  return isUsed ? withId(input, random.id()) : input
}

/** The operation with the server's ids of its user and organisation; the very same where it has no local one. */
export function resolveOperation(
  operation: Operation,
  aliases: readonly Alias[],
  calls: ApiCalls,
): Operation {
  const { user_id, organisation_id } = operation
  const ids = idsOf(
    aliases.filter((one) => one.user_id === user_id && one.organisation_id === organisation_id),
  )
  if (ids.size === 0) return operation
  const { input, base, conflict } = operation
  const resolved = {
    input: replaceIds(input, ids),
    base: replaceIds(base, ids),
    conflict: replaceIds(conflict, ids),
  }
  const isSame = resolved.input === input && resolved.base === base
  if (isSame && resolved.conflict === conflict) return operation
  // How a newer build makes the lane of its calls is not known here; it names the record.
  const lane =
    calls[operation.endpoint]?.offlinePolicy?.lane(resolved.input) ??
    resolveText(operation.lane, ids)
  return {
    ...operation,
    input: resolved.input,
    lane,
    ...(resolved.base && { base: resolved.base }),
    ...(resolved.conflict && { conflict: resolved.conflict }),
  }
}

/**
 * The same for what a user writes now. Also with the ids of records that other users of this device have made: an
 * address or a form may still name one as its author had it. Not where the user makes a record under the same local
 * id, as imports of one archive do. `creators`: the waiting operations by the id of the record that they create.
 */
export function resolveWritten(
  operation: Operation,
  aliases: readonly Alias[],
  creators: ReadonlyMap<string | undefined, readonly Operation[]>,
  calls: ApiCalls,
): Operation {
  const { user_id } = operation
  const own = aliases.filter((one) => one.user_id === user_id)
  const locals = new Set(own.map(({ local }) => local))
  const isMade = (local: string) => creators.get(local)?.some((one) => one.user_id === user_id)
  const others = aliases.filter(({ local }) => !locals.has(local) && !isMade(local))
  return resolveOperation(operation, [...own, ...others.map((one) => ({ ...one, user_id }))], calls)
}

/** The text with the server's ids in place of local ones. */
export function resolveText(text: string, ids: ReadonlyMap<string, string>): string {
  let resolved = text
  for (const [local, id] of ids) resolved = resolved.replaceAll(local, id)
  return resolved
}

/** The key of a draft with the server's ids in its name. */
export const resolveDraft = (key: readonly string[], ids: ReadonlyMap<string, string>): string[] =>
  key.map((part, at) => (at === 2 ? resolveText(part, ids) : part))

/**
 * Stores an alias and replaces the local id in all that is stored for its user and organisation: in
 * operations, drafts, and values of the replica such as the recently opened records. In the transaction of
 * the acknowledgement, over ALIASED_STORES: a crash leaves both ids or neither.
 */
export async function writeAlias(tx: Transaction, alias: Alias, calls: ApiCalls): Promise<void> {
  const { user_id, organisation_id } = alias
  const ids = idsOf([alias])
  tx.put('session', keyOf(alias), alias)
  for (const one of await readOperations(tx)) {
    const resolved = resolveOperation(one, [alias], calls)
    if (resolved !== one) tx.put('operations', one.id, resolved)
  }
  await replaceInCache(tx, [user_id, organisation_id ?? ''], ids)
  // The log of sent operations, of all organisations.
  if (organisation_id !== null) await replaceInCache(tx, [user_id, ''], ids)
  for (const key of await tx.keys('drafts', [user_id, organisation_id ?? ''])) {
    if (typeof key === 'string') continue
    const text = await tx.get('drafts', key)
    const resolved = resolveDraft(key, ids)
    if (typeof text !== 'string') continue
    if (resolved[2] === key[2] && !text.includes(alias.local)) continue
    tx.delete('drafts', key)
    tx.put('drafts', resolved, resolveText(text, ids))
  }
}

async function replaceInCache(
  tx: Transaction,
  prefix: string[],
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  for (const key of await tx.keys('cache', prefix)) {
    if (typeof key === 'string' || !isNamedValue(key[2])) continue
    const value = await tx.get('cache', key)
    const resolved = replaceIds(value, ids)
    if (resolved !== value) tx.put('cache', key, resolved)
  }
}

/** Deletes the old aliases of a user for whom nothing waits any more. `now`: epoch milliseconds. */
export async function dropOldAliases(tx: Transaction, user_id: string, now: number): Promise<void> {
  const waiting = (await readOperations(tx)).some(
    (one) => one.user_id === user_id && one.state !== 'acknowledged',
  )
  if (waiting) return
  for (const alias of await readAliases(tx, user_id))
    if (now - alias.created_at > RETENTION_MS) tx.delete('session', keyOf(alias))
}

/**
 * Runs `work` and deletes the draft that it replaces, also under the ids that the server has made since; not when
 * it resolves to undefined. Over `drafts` and `session`.
 */
export async function replaceDraft<T>(
  tx: Transaction,
  draft: string[],
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  // Both at once: each result waits until the page has finished rendering.
  const [result, aliases] = await Promise.all([work(tx), readAliases(tx, draft[0])])
  if (result === undefined) return result
  for (const key of [draft, resolveDraft(draft, idsOf(aliases))]) tx.delete('drafts', key)
  return result
}
