// Ends sessions on the server that are over on the device, also those that ended without a network.
import type { Http } from '../http.ts'
import type { Ports, Store } from '../ports.ts'
import {
  deleteRevocation,
  putRevocation,
  readRevocations,
  readSession,
  type Revocation,
} from '../session-store.ts'
import type { TokenCalls } from '../token-client.ts'

/** Until then every session has expired on the server. */
const MAX_AGE_MS = 60 * 86_400_000

/** The revocations to send. Those that expired are dropped. */
async function takeEnded({ store, clock }: Ports): Promise<Revocation[]> {
  return await store.transact(['session'], 'readwrite', async (tx) => {
    const user_id = (await readSession(tx)).session?.user.id
    const ended: Revocation[] = []
    for (const one of await readRevocations(tx)) {
      // A tab of the previous build signs out without a word about it.
      if (one.ended_at === null && one.user_id === user_id) continue
      const revocation = { ...one, ended_at: one.ended_at ?? clock.now() }
      if (clock.now() - revocation.ended_at > MAX_AGE_MS) {
        deleteRevocation(tx, one)
        continue
      }
      if (one.ended_at === null) putRevocation(tx, revocation)
      ended.push(revocation)
    }
    return ended
  })
}

/**
 * Sends what ends the sessions that are over on this device, without a session. Each is dropped once it was
 * answered, where the server has no such call, and after 60 days. Resolves to the number that are left. Rejects when
 * storage fails.
 */
export async function sendRevocations(
  ports: Ports,
  http: Http,
  { revoke }: TokenCalls,
): Promise<number> {
  if (!revoke) return 0
  let left = 0
  for (const one of await takeEnded(ports)) {
    const { secret: revocation_secret, unsent } = one
    const body = { revocation_secret, ...(unsent !== undefined && { unsent }) }
    const outcome = await http.call(revoke, { body })
    if (outcome.kind === 'answered' || outcome.kind === 'refused')
      await ports.store.transact(['session'], 'readwrite', async (tx) => deleteRevocation(tx, one))
    else left += 1
  }
  return left
}

/** Whether a session is over on this device and perhaps not on the server. Rejects when storage fails. */
export const hasEndedSessions = (store: Store): Promise<boolean> =>
  store.transact(['session'], 'readonly', async (tx) =>
    (await readRevocations(tx)).some(({ ended_at }) => ended_at !== null),
  )
