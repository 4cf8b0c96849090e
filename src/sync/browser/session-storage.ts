// The session under the specification's localStorage keys (section 9), which a page can read before its
// first paint. A copy: `core/session.ts` decides which session is current.
import type { StoredSession } from '../core/session-store.ts'

/** Key of the sequence number, which changes with every change of the session. */
export const SESSION_SEQ_KEY = 'session_seq'

/** Until when the server must have answered, in epoch milliseconds: see `core/api/contact.ts`. */
const FORGET_AT_KEY = 'forget_at'

/** Drafts of pages that were unloaded: see `react/drafts.ts`. They end with the session. */
export const UNLOADED_DRAFTS_KEY = 'unloaded_drafts'

type Fields = Record<string, unknown>

/** An id as a string; servers may have numbers. */
const idOf = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value)
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * The user or the organisation under a key, with what screens need before the server was asked: another
 * front end of the server may have written only what the specification names. Null without an id.
 */
function readRecord(storage: Storage, key: 'user' | 'active_organisation') {
  let value: Fields | null | undefined
  try {
    value = JSON.parse(storage.getItem(key) ?? 'null') as Fields | null
  } catch {
    // Not readable.
  }
  // A value that is no object has no id, so it counts as unreadable.
  const { id: stored, name, email, user_id, pivot } = value ?? {}
  const id = textOf(idOf(stored))
  if (id === '') return null
  return key === 'user'
    ? { ...value, id, name: textOf(name), email: textOf(email) }
    : {
        ...value,
        id,
        name: textOf(name),
        user_id: idOf(user_id),
        pivot: typeof pivot === 'object' && pivot ? pivot : {},
      }
}

/** What the keys have; undefined without both tokens. */
function readKeys(storage: Storage) {
  const access_token = storage.getItem('access_token')
  const refresh_token = storage.getItem('refresh_token')
  if (!access_token || !refresh_token) return undefined
  const user = readRecord(storage, 'user')
  const active_organisation = readRecord(storage, 'active_organisation')
  return { access_token, refresh_token, user, active_organisation }
}

/**
 * Reads the keys; signed in only with both tokens and a user. With both tokens and an unreadable user
 * the result counts as older than the session in IndexedDB.
 */
export function readStoredSession(storage: Storage): StoredSession {
  const seq = Number(storage.getItem(SESSION_SEQ_KEY)) || 0
  const keys = readKeys(storage)
  if (!keys) return { seq, session: null }
  const { user } = keys
  return user ? { seq, session: { ...keys, user } } : { seq: 0, session: null }
}

/** Both tokens if their user is missing or unreadable: another front end of the server may have stored them so. */
export function readLoneTokens(storage: Storage) {
  const keys = readKeys(storage)
  return keys?.user ? undefined : keys
}

/**
 * Writes the keys, or removes them after a sign-out. Does nothing when the stored sequence number is
 * higher: a tab that is behind must not restore tokens after a sign-out. Tokens without a user that are
 * not older than the sign-out stay until the server was asked for the user.
 */
export function writeStoredSession(storage: Storage, { seq, session }: StoredSession): void {
  const set = (key: string, value: string | null | undefined) => {
    if (value == null) storage.removeItem(key)
    else if (storage.getItem(key) !== value) storage.setItem(key, value)
  }
  try {
    const before = Number(storage.getItem(SESSION_SEQ_KEY))
    if (before > seq) return
    if (!session && (!before || before === seq) && readLoneTokens(storage)) return
    for (const key of ['access_token', 'refresh_token'] as const) set(key, session?.[key])
    for (const key of ['user', 'active_organisation'] as const)
      set(key, session?.[key] && JSON.stringify(session[key]))
    if (!session) storage.removeItem(UNLOADED_DRAFTS_KEY)
    set(SESSION_SEQ_KEY, String(seq))
  } catch {
    // Full or forbidden: IndexedDB has the session.
  }
}

/** Writes until when the server must have answered, in epoch milliseconds; undefined where it need not. */
export function writeForgetAt(storage: Storage, at: number | undefined): void {
  try {
    if (at === undefined) storage.removeItem(FORGET_AT_KEY)
    else storage.setItem(FORGET_AT_KEY, String(at))
  } catch {
    // Full or forbidden: IndexedDB has it.
  }
}

/** Whether the stored session may be over for want of an answer, so that nothing of it is to be shown yet. */
export function isContactOver(storage: Storage): boolean {
  const at = storage.getItem(FORGET_AT_KEY)
  return at !== null && Date.now() >= Number(at)
}
