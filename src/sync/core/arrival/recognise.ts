// Which record, if any, an operation has created whose answer was lost. Pure. A record is it when it has
// the very id, or the same parents, words and author, was not on the device before the first attempt, and
// belongs to no other operation.
import { policyOf, type Operation } from '../operation.ts'
import type { ApiCalls, OfflinePolicy } from '../ports.ts'
import type { ReplicaRecord } from '../replica.ts'
import { isSameValue, showsAll } from './content.ts'

/** What a complete reading says about an operation. `undecided`: only a person can tell. */
export type Recognition =
  | { kind: 'found'; record: ReplicaRecord }
  | { kind: 'missing' }
  | { kind: 'undecided' }

/** What is known beside the records. */
export interface Surroundings {
  /** All operations on the device. */
  operations: readonly Operation[]
  /** Ids of records that other operations have created. */
  taken: ReadonlySet<string>
}

type Fields = Record<string, unknown>
type Created = NonNullable<OfflinePolicy['created']>

const isNone = (value: unknown): boolean => (value ?? null) === null

/** Whether the record has those parents; a body names only those that it has. */
const hasParents = (parents: Fields, record: Fields): boolean =>
  Object.entries(parents).every(([name, id]) => (id ?? null) === (record[name] ?? null))

/** Of the parents, those that a record has: some servers return none, or one of several. */
const returned = (parents: Fields, records: readonly Fields[]): Fields =>
  Object.fromEntries(
    Object.entries(parents).filter(
      ([name, id]) => isNone(id) || records.some((record) => !isNone(record[name])),
    ),
  )

/** The records that could be taken for what an operation creates: those of its parents, as far as they are returned. */
export const siblings = (
  operation: Operation,
  records: readonly ReplicaRecord[],
  calls: ApiCalls,
): ReplicaRecord[] => {
  const { created } = policyOf(calls, operation.endpoint)
  const parents = returned(created?.parents(operation.input) ?? {}, records)
  return records.filter((record) => hasParents(parents, record))
}

/** Recognises the record of an operation in a complete reading of its collection. */
export function recognise(
  operation: Operation,
  records: readonly ReplicaRecord[],
  { operations, taken }: Surroundings,
  calls: ApiCalls,
): Recognition {
  const { created, creates, asked } = policyOf(calls, operation.endpoint)
  if (!created) return { kind: 'undecided' }
  const { input, user_id, attempt, known_before } = operation
  // A server that keeps the ids of devices: others may have changed it since.
  const local = creates?.(input)
  const arrived = records.find((record) => record.id === local)
  if (arrived) return { kind: 'found', record: arrived }
  const known = attempt?.known ?? known_before
  const isOwn = (record: Fields) =>
    isNone(record[created.author]) || record[created.author] === user_id
  const parents = created.parents(input)
  const unclaimed = siblings(operation, records, calls).filter(
    (record) => !taken.has(record.id) && known?.includes(record.id) !== true,
  )
  const added = unclaimed.filter((record) => isOwn(record) && hasParents(parents, record))
  const words = created.words(input)
  const same = added.filter((record) => showsAll(words, record))
  // A record that the server or another person has changed beyond recognition may be it.
  if (added.length > 0 && same.length === 0) return { kind: 'undecided' }
  if (same.length === 0) return recogniseByWords(operation, unclaimed, created)
  // Without an earlier reading it may be an earlier twin.
  if (!known) return { kind: 'undecided' }
  const wanted = definedIn(asked?.(input, operation.created_at) ?? {})
  const exact = same.filter((record) => showsAll(wanted, record))
  const [record] = exact.length > 0 ? exact : same
  const candidates = exact.length > 0 ? exact : same
  if (!record) return { kind: 'undecided' }
  const isTwin = (one: Operation) =>
    one.endpoint === operation.endpoint &&
    one.user_id === user_id &&
    one.organisation_id === operation.organisation_id &&
    one.state === 'pending' &&
    one.attempts > 0 &&
    isSameValue(words, created.words(one.input)) &&
    isSameValue(parents, created.parents(one.input))
  // As many as were attempted: each of them has its own.
  return candidates.length <= operations.filter(isTwin).length
    ? { kind: 'found', record }
    : { kind: 'undecided' }
}

/** Numbers have one form, other ids of a server one length: a name or an address has another. */
const formOf = (id: string): number => (/^\d+$/.test(id) ? 0 : id.length)

/**
 * The same where the server returns no parents, or names authors in its own way. Only what it has taken for sure, or
 * shows one of the parents and no other author, is the record.
 */
function recogniseByWords(
  { input, odd_answers, attempt, known_before, user_id }: Operation,
  unclaimed: readonly ReplicaRecord[],
  { author, parents, words }: Created,
): Recognition {
  const authorOf = (record: Fields) => (record[author] ?? user_id) as string
  const [record, another] = unclaimed.filter(
    (one) =>
      showsAll(words(input), one) &&
      (authorOf(one) === user_id || formOf(authorOf(one)) !== formOf(user_id)),
  )
  if (!record) return { kind: 'missing' }
  const isOfParent = Object.entries(parents(input)).some(([name, id]) => id && record[name] === id)
  const isSure = attempt?.taken || odd_answers || (isOfParent && authorOf(record) === user_id)
  const isNew = attempt?.known ?? known_before
  return isNew && isSure && !another ? { kind: 'found', record } : { kind: 'undecided' }
}

const definedIn = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
