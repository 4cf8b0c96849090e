// What was sent of late, so that people can look it up: kept beside the cache, and wiped with it at a
// sign-out.
import { upcast, type Operation } from './operation.ts'
import type { CallInput, Store, Transaction } from './ports.ts'
import { keptIn } from './mirror.ts'

/** An operation that has reached the server. */
export interface Sent {
  id: string
  endpoint: string
  input: CallInput
  organisation_id: string | null
  /** By the device's clock: when it was said, and when it was sent. */
  created_at: string
  sent_at: string
  /** Others had changed the same record meanwhile, and both changes stand. */
  merged: boolean
}

const DAY = 86_400_000
const MOST = 200
const keyOf = (user_id: string) => [user_id, '', '=sent']

/** Notes what leaves the outbox, in the transaction in which it leaves. */
export async function noteSent(
  tx: Transaction,
  settled: readonly Operation[],
  now: number,
): Promise<void> {
  const user_id = (await keptIn(tx)).session?.user.id
  const mine = settled.filter((one) => one.user_id === user_id)
  if (user_id === undefined || mine.length === 0) return
  const noted = ((await tx.get('cache', keyOf(user_id))) as Sent[] | undefined) ?? []
  tx.put('cache', keyOf(user_id), recent([...mine.map(sentOf), ...noted], now))
}

/**
 * What that user has sent in the last 24 hours, the latest first: also what has arrived, and waits
 * in the outbox for its copy.
 */
export async function sentBy(store: Store, user_id: string, now: number): Promise<Sent[]> {
  return await store.transact(['operations', 'cache'], 'readonly', async (tx) => {
    const operations = (await tx.all('operations', [])).map(upcast)
    const arrived = operations.filter(
      (one) => one?.user_id === user_id && one.state === 'acknowledged',
    )
    const noted = ((await tx.get('cache', keyOf(user_id))) as Sent[] | undefined) ?? []
    return recent([...arrived.filter((one) => one !== undefined).map(sentOf), ...noted], now)
  })
}

const recent = (sent: readonly Sent[], now: number): Sent[] =>
  sent
    .filter(({ sent_at }) => now - Date.parse(sent_at) < DAY)
    .toSorted((a, b) => (a.sent_at < b.sent_at ? 1 : -1))
    .slice(0, MOST)

const sentOf = (operation: Operation): Sent => ({
  id: operation.id,
  endpoint: operation.endpoint,
  input: operation.input,
  organisation_id: operation.organisation_id,
  created_at: operation.created_at,
  sent_at: operation.sent_at ?? operation.created_at,
  merged: operation.merged ?? false,
})
