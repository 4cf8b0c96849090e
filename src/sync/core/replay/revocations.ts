// Ends sessions on the server that are over on the device, also those that ended without a network.
import type { Http } from '../api/http.ts'
import type { ApiCall, Ports, Store, Transaction } from '../ports.ts'
import { isSameServer } from '../api/address.ts'
import { readOperations } from '../operation.ts'
import { readSession } from '../session-store.ts'
import type { TokenCalls } from '../token-client.ts'

/** What ends one session on the server and gives no access. Stored beside the session, by its secret. */
export interface Revocation {
  secret: string
  user_id: string
  /** The API's base URL; nothing is sent to another server. */
  api: string
  /** When the device signed out, in epoch milliseconds; null while it is signed in. */
  ended_at: number | null
  /** On a device that was reported lost: how many operations wait on it. */
  unsent?: number
}

const REVOCATION = 'revocation'
const revocationKey = (secret: string) => [REVOCATION, secret]

/** Reads all of them in a transaction over the store `session`. */
const readRevocations = async (tx: Transaction): Promise<Revocation[]> =>
  (await tx.all('session', [REVOCATION])) as Revocation[]

/** Stores one in a transaction over the store `session`. */
export function putRevocation(tx: Transaction, revocation: Revocation): void {
  tx.put('session', revocationKey(revocation.secret), revocation)
}

/** Deletes one in a transaction over the store `session`. */
function deleteRevocation(tx: Transaction, { secret }: Revocation): void {
  tx.delete('session', revocationKey(secret))
}

/**
 * Marks the sessions of a user as over, so that their revocations are sent. Returns how many are to be sent: none when
 * the server ended the session itself (`ending` has a refresh token), unless the device is lost, which then reports
 * how many operations wait on it.
 */
export async function endRevocations(
  tx: Transaction,
  user_id: string,
  now: number,
  ending?: Ending,
) {
  const open = (await readRevocations(tx)).filter(
    (one) => one.user_id === user_id && one.ended_at === null,
  )
  const isKnown = ending?.refresh_token !== undefined
  if (isKnown && !ending?.isLost) {
    for (const one of open) deleteRevocation(tx, one)
    return 0
  }
  const unsent = ending?.isLost ? { unsent: await countUnsent(tx, user_id) } : {}
  for (const one of open) putRevocation(tx, { ...one, ...overAt(now), ...unsent })
  return open.length
}

/** Without the user's id: a signed-out device does not store it. */
const overAt = (ended_at: number) => ({ ended_at, user_id: '' })

const countUnsent = async (tx: Transaction, user_id: string): Promise<number> =>
  (await readOperations(tx)).filter(
    (one) => one.user_id === user_id && one.state !== 'acknowledged',
  ).length

/** Why a session ends that its user did not end here, and what else ends with it. */
export interface Ending {
  /** The refresh token that the server refuses; only a session that still has it ends. */
  refresh_token?: string
  /** Nothing readable stays, not even drafts. */
  isLost?: boolean | undefined
  /** After so many days without contact; the same. */
  silentDays?: number | undefined
  /** What becomes of unsent operations for this server; kept by default. */
  unsent?: 'keep' | 'discard'
}

/** Until then every session has expired on the server. */
const MAX_AGE_MS = 60 * 86_400_000

/** The revocations to send. Those that expired are dropped. */
async function takeEnded({ store, clock, api }: Ports): Promise<Revocation[]> {
  return await store.transact(['session'], 'readwrite', async (tx) => {
    const user_id = (await readSession(tx)).session?.user.id
    const ended: Revocation[] = []
    for (const one of await readRevocations(tx)) {
      // A tab of the previous build signs out without marking it.
      if (one.ended_at === null && one.user_id === user_id) continue
      const revocation = { ...one, ...overAt(one.ended_at ?? clock.now()) }
      if (clock.now() - revocation.ended_at > MAX_AGE_MS) {
        deleteRevocation(tx, one)
        continue
      }
      if (one.ended_at === null) putRevocation(tx, revocation)
      if (isSameServer(api(), one.api)) ended.push(revocation)
    }
    return ended
  })
}

/**
 * Sends what ends the sessions that are over on this device, without a session. Each is dropped once it was
 * answered, where the server has no such call, and after 60 days. Resolves to the number that are left; 0 when
 * storage fails. Never rejects.
 */
export function sendRevocations(ports: Ports, http: Http, { revoke }: TokenCalls): Promise<number> {
  if (revoke === undefined) return Promise.resolve(0)
  const before: Promise<unknown> = running.get(ports) ?? Promise.resolve()
  const sent = before.then(() => send(ports, http, revoke)).catch(() => 0)
  running.set(ports, sent)
  return sent
}

/** By context, one after the other: at the same time both would send the same ones. */
const running = new WeakMap<Ports, Promise<number>>()

async function send(ports: Ports, http: Http, revoke: ApiCall): Promise<number> {
  // The server that gave the secret has the call, whatever is known of it without a session.
  const { capability: _known, ...call } = revoke
  let left = 0
  for (const one of await takeEnded(ports)) {
    const { secret: revocation_secret, unsent } = one
    const body = { revocation_secret, ...(unsent !== undefined && { unsent }) }
    const outcome = await http.call(call, { body })
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
