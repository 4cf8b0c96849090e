// Recently sent operations, for the user to look up. In the store `cache`, so that a sign-out deletes them.
import { upcast, type Operation } from './operation.ts'
import type { CallInput, Store, Transaction } from './ports.ts'
import { readSession } from './session-store.ts'

/** An operation that the server has confirmed. Stored: fields are never renamed. */
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
}

const RETENTION_MS = 86_400_000
const MAX_ENTRIES = 200
const logKey = (user_id: string) => [user_id, '', '=sent']

/** Logs pruned operations of the signed-in user, in the transaction that prunes them. `now`: epoch milliseconds. */
export async function appendSent(
  tx: Transaction,
  pruned: readonly Operation[],
  now: number,
): Promise<void> {
  const user_id = (await readSession(tx)).session?.user.id
  const own = pruned.filter((one) => one.user_id === user_id)
  if (user_id === undefined || own.length === 0) return
  const entries = ((await tx.get('cache', logKey(user_id))) as SentEntry[] | undefined) ?? []
  tx.put('cache', logKey(user_id), recent([...own.map(toEntry), ...entries], now))
}

/**
 * The operations that the user sent in the last 24 hours, latest first, at most 200. Includes acknowledged ones
 * that are still in the outbox. `now`: epoch milliseconds. Rejects when storage fails.
 */
export async function readSent(store: Store, user_id: string, now: number): Promise<SentEntry[]> {
  return await store.transact(['operations', 'cache'], 'readonly', async (tx) => {
    const operations = (await tx.all('operations', [])).map(upcast)
    const acknowledged = operations.filter(
      (one) => one?.user_id === user_id && one.state === 'acknowledged',
    )
    const entries = ((await tx.get('cache', logKey(user_id))) as SentEntry[] | undefined) ?? []
    return recent(
      [...acknowledged.filter((one) => one !== undefined).map(toEntry), ...entries],
      now,
    )
  })
}

/** The entries within the limits of age and number, latest first. */
const recent = (sent: readonly SentEntry[], now: number): SentEntry[] =>
  sent
    .filter(({ sent_at }) => now - Date.parse(sent_at) < RETENTION_MS)
    .toSorted((a, b) => (a.sent_at < b.sent_at ? 1 : -1))
    .slice(0, MAX_ENTRIES)

const toEntry = (operation: Operation): SentEntry => ({
  id: operation.id,
  endpoint: operation.endpoint,
  input: operation.input,
  organisation_id: operation.organisation_id,
  created_at: operation.created_at,
  sent_at: operation.sent_at ?? operation.created_at,
  merged: operation.merged ?? false,
})
