// Recently sent operations and values given up in conflicts, for the user to look up. In the store
// `cache`, so that a sign-out deletes them.
import { editOf, policyOf, upcast, type Operation } from './operation.ts'
import type { ApiCalls, CallInput, Ports, Store, Transaction } from './ports.ts'
import { readSession } from './session-store.ts'

/** An operation that the server has confirmed, or one given up or discarded. Stored: fields are never renamed. */
export interface SentEntry {
  id: string
  endpoint: string
  input: CallInput
  organisation_id: string | null
  /** Device clock, ISO 8601: when it was enqueued, and when it was acknowledged. */
  created_at: string
  sent_at: string
  /** It was rebased on changes by others. */
  merged: boolean
  /** What others set meanwhile and it left as it is, by field; absent where that is not known. */
  kept?: Record<string, unknown>
  /** The author chose the server's values instead of those in `input`, or replaced them later. */
  given_up?: true
  /** It was discarded before it left the device: what its author saw beneath it. Not for the user to look up. */
  beneath?: Record<string, unknown>
}

const DAY_MS = 86_400_000
const RETENTION_MS = { sent: 14 * DAY_MS, givenUp: 30 * DAY_MS, discarded: 14 * DAY_MS }
const MAX_ENTRIES = 200
const logKey = (user_id: string) => [user_id, '', '=sent']

/** Logs pruned operations of the signed-in user, in the transaction that prunes them. */
export const appendSent = (tx: Transaction, pruned: readonly Operation[]): Promise<void> =>
  append(tx, pruned, toEntry)

/** Logs those of the operations that are the signed-in user's. Limited by number alone: the clock may be wrong. */
async function append(
  tx: Transaction,
  operations: readonly Operation[],
  entryOf: (operation: Operation) => SentEntry,
): Promise<void> {
  const user_id = (await readSession(tx)).session?.user.id
  const own = operations.filter((one) => one.user_id === user_id)
  if (user_id === undefined || own.length === 0) return
  const entries = await readLog(tx, user_id)
  tx.put('cache', logKey(user_id), latest([...own.map(entryOf), ...entries]))
}

/** What this device has sent for a user, and what was given up, however long ago. */
export const readLog = async (tx: Transaction, user_id: string): Promise<SentEntry[]> =>
  ((await tx.get('cache', logKey(user_id))) as SentEntry[] | undefined) ?? []

/**
 * Logs the edits among the discarded operations. Those that the server may have are own values to later edits. A form
 * may still show one that never left: what was beneath it is nothing new to its author.
 */
export async function logDiscarded(
  tx: Transaction,
  discarded: readonly Operation[],
  { calls, clock }: Pick<Ports, 'calls' | 'clock'>,
): Promise<void> {
  const now = clock.now()
  const edits = discarded.filter((one) => one.base && editOf(one, calls))
  const started = edits.filter(({ attempts }) => attempts > 0)
  const names = started.flatMap((one) => Object.keys(editOf(one, calls)?.fields ?? {}))
  await appendGivenUp(tx, started, names, calls, now)
  const unsent = edits.filter(({ attempts }) => attempts === 0)
  const sent_at = new Date(now).toISOString()
  const entryOf = (one: Operation) => ({
    ...toEntry(one),
    sent_at,
    beneath: { ...one.base?.fields },
  })
  await append(tx, unsent, entryOf)
}

/**
 * Logs values of the signed-in user that a choice in a conflict has given up: the fields `dropped` of
 * each edit; a deletion has none. For 30 days. `now`: epoch milliseconds.
 */
export async function appendGivenUp(
  tx: Transaction,
  operations: readonly Operation[],
  dropped: readonly string[],
  calls: ApiCalls,
  now: number,
): Promise<void> {
  const edits = operations.filter((one) => editOf(one, calls) !== undefined)
  const entryOf = (one: Operation): SentEntry => {
    const { edits, omitFields, splitFields } = policyOf(calls, one.endpoint)
    const left = omitFields?.(one.input, dropped)
    const others = Object.keys((left && edits?.(left)?.fields) ?? {})
    const input =
      splitFields?.(one.input, dropped, one.id) ?? omitFields?.(one.input, others) ?? one.input
    const sent_at = new Date(now).toISOString()
    return { ...toEntry(one), input, sent_at, given_up: true }
  }
  await append(tx, edits, entryOf)
}

/**
 * The operations that the user sent in the last 14 days, and then what was given up in the last 30 days,
 * each latest first and at most 200. Includes acknowledged ones that are still in the outbox. `now`:
 * epoch milliseconds. Rejects when storage fails.
 */
export async function readSent(store: Store, user_id: string, now: number): Promise<SentEntry[]> {
  return await store.transact(['operations', 'cache'], 'readonly', async (tx) => {
    const operations = (await tx.all('operations', [])).map(upcast)
    const acknowledged = operations.filter(
      (one) => one?.user_id === user_id && one.state === 'acknowledged',
    )
    const entries = (await readLog(tx, user_id)).filter(({ beneath }) => !beneath)
    const all = [...acknowledged.filter((one) => one !== undefined).map(toEntry), ...entries]
    return latest(recent(all, now))
  })
}

/**
 * Those that are as recent as the user can look them up. Older ones are no longer what their author has in mind:
 * statuses and percentages recur, and another person may set one of them. `now`: epoch milliseconds.
 */
export const recent = (entries: readonly SentEntry[], now: number): SentEntry[] =>
  entries.filter((one) => now - Date.parse(one.sent_at) < RETENTION_MS[kindOf(one)])

/** The latest MAX_ENTRIES of each kind, latest first. */
function latest(entries: readonly SentEntry[]): SentEntry[] {
  const sorted = entries.toSorted((a, b) => (a.sent_at < b.sent_at ? 1 : -1))
  const within = (kind: keyof typeof RETENTION_MS) =>
    sorted.filter((one) => kindOf(one) === kind).slice(0, MAX_ENTRIES)
  return [...within('sent'), ...within('givenUp'), ...within('discarded')]
}

const kindOf = ({ given_up, beneath }: SentEntry): keyof typeof RETENTION_MS =>
  given_up ? 'givenUp' : beneath ? 'discarded' : 'sent'

const toEntry = (operation: Operation): SentEntry => ({
  id: operation.id,
  endpoint: operation.endpoint,
  input: operation.input,
  organisation_id: operation.organisation_id,
  created_at: operation.created_at,
  sent_at: operation.sent_at ?? operation.created_at,
  merged: operation.merged ?? false,
  ...(operation.kept && { kept: operation.kept }),
})
