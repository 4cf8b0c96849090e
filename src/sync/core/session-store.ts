// The session as stored in IndexedDB: readable by every context, written by `session.ts` only.
import type { Transaction } from './ports.ts'

/** A signed-in user. Stored, and written to localStorage by field: fields are never renamed. */
export interface Session {
  access_token: string
  refresh_token: string
  user: { id: string } & Record<string, unknown>
  active_organisation: ({ id: string } & Record<string, unknown>) | null
}

export interface StoredSession {
  /** Increases with every change; of two copies the higher one is the current one. */
  seq: number
  /** Null when no user is signed in. */
  session: Session | null
  /** The last sign-out and whether it was forced. Stored since build 0.1 as `left`. */
  left?: { user_id: string; forced: boolean }
}

/** Its key in the store `session`. */
export const SESSION_KEY = 'session'

/** Reads the session in a transaction over the store `session`; signed out when nothing is stored. */
export async function readSession(tx: Transaction): Promise<StoredSession> {
  const stored = await tx.get('session', SESSION_KEY)
  return (stored as StoredSession | undefined) ?? { seq: 0, session: null }
}

/**
 * Whether the copy in IndexedDB is newer than the page's in localStorage, which a crash can have lost.
 */
export const isStoredNewer = (local: StoredSession, stored: StoredSession): boolean =>
  local.seq < stored.seq || (local.seq === 0 && !local.session)

/** What ends one session on the server and gives no access. Stored beside the session, by its secret. */
export interface Revocation {
  secret: string
  user_id: string
  /** When the device signed out, in epoch milliseconds; null while it is signed in. */
  ended_at: number | null
  /** On a device that was reported lost: how many operations wait on it. */
  unsent?: number
}

const REVOCATION = 'revocation'
const revocationKey = (secret: string) => [REVOCATION, secret]

/** Reads all of them in a transaction over the store `session`. */
export const readRevocations = async (tx: Transaction): Promise<Revocation[]> =>
  (await tx.all('session', [REVOCATION])) as Revocation[]

/** Stores one in a transaction over the store `session`. */
export function putRevocation(tx: Transaction, revocation: Revocation): void {
  tx.put('session', revocationKey(revocation.secret), revocation)
}

/** Deletes one in a transaction over the store `session`. */
export function deleteRevocation(tx: Transaction, { secret }: Revocation): void {
  tx.delete('session', revocationKey(secret))
}
