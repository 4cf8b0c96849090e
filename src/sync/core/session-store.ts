// The session's copy in IndexedDB, as anybody may read it; only `session.ts` writes it.
import type { Transaction } from './ports.ts'

export interface Session {
  access_token: string
  refresh_token: string
  user: { id: string } & Record<string, unknown>
  active_organisation: ({ id: string } & Record<string, unknown>) | null
}

export interface StoredSession {
  seq: number
  session: Session | null
  /** Who was signed out last, and how, so that the sign-in page can say what waits for whom. */
  left?: { user_id: string; forced: boolean }
}

/** Where it stands in the table of sessions. */
export const SESSION_KEY = 'session'

/** The session in that very transaction. */
export async function readSession(tx: Transaction): Promise<StoredSession> {
  const stored = await tx.get('session', SESSION_KEY)
  return (stored as StoredSession | undefined) ?? { seq: 0, session: null }
}

/** Whether the mirror knows better than what the page remembers: after a kill the newer one wins. */
export const isStoredNewer = (local: StoredSession, stored: StoredSession): boolean =>
  local.seq < stored.seq || (local.seq === 0 && !local.session)
