// The session under the specification's localStorage keys (section 9), which a page can read before
// it paints. Only `sync/session.ts` decides; this writes down what it decided.
import type { StoredSession } from '../core/session-store.ts'

/** Changes with each change of the session. */
export const SESSION_SEQ_KEY = 'session_seq'

const KEYS = {
  access_token: 'access_token',
  refresh_token: 'refresh_token',
  user: 'user',
  active_organisation: 'active_organisation',
  seq: SESSION_SEQ_KEY,
} as const

const readJson = (storage: Storage, key: string): unknown => {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

const isRecord = (value: unknown): value is { id: string } & Record<string, unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { id?: unknown }).id === 'string'

/** What the keys say; signed in means that both tokens are present. */
export function readStoredSession(storage: Storage): StoredSession {
  try {
    const seq = Number(storage.getItem(KEYS.seq) ?? 0) || 0
    const access_token = storage.getItem(KEYS.access_token)
    const refresh_token = storage.getItem(KEYS.refresh_token)
    const user = readJson(storage, KEYS.user)
    const organisation = readJson(storage, KEYS.active_organisation)
    if (!access_token || !refresh_token || !isRecord(user)) return { seq, session: null }
    return {
      seq,
      session: {
        access_token,
        refresh_token,
        user,
        active_organisation: isRecord(organisation) ? organisation : null,
      },
    }
  } catch {
    // Storage is forbidden here; the mirror may still know.
    return { seq: 0, session: null }
  }
}

/**
 * Writes the keys, or removes those of a session that is over. A tab that learnt late of an older
 * session leaves a newer one alone, or it would bring back tokens after a sign-out.
 */
export function writeStoredSession(storage: Storage, { seq, session }: StoredSession): void {
  const set = (key: string, value: string | null) => {
    if (value === null) storage.removeItem(key)
    else if (storage.getItem(key) !== value) storage.setItem(key, value)
  }
  try {
    if (Number(storage.getItem(KEYS.seq) ?? 0) > seq) return
    set(KEYS.access_token, session?.access_token ?? null)
    set(KEYS.refresh_token, session?.refresh_token ?? null)
    set(KEYS.user, session ? JSON.stringify(session.user) : null)
    const organisation = session?.active_organisation
    set(KEYS.active_organisation, organisation ? JSON.stringify(organisation) : null)
    set(KEYS.seq, String(seq))
  } catch {
    // Full or forbidden: the mirror in IndexedDB has it.
  }
}
