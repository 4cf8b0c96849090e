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
  /** The base URL of the API that the tokens are of. Absent in sessions of earlier builds. */
  api?: string | undefined
  /**
   * The last sign-out: whether it was forced; after so many days without contact, where that was why; and
   * whether the drafts were deleted, so that none is stored after it. Stored since build 0.1 as `left`.
   */
  left?: {
    user_id: string
    forced: boolean
    silent_days?: number | undefined
    wiped?: boolean | undefined
  }
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
