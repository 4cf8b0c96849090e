// Who is signed in on this device. It lives in IndexedDB, where the worker can read it, and under the
// specification's localStorage keys, where a page can read it before it paints. Each carries a
// sequence number: after a kill the newer one wins.
import {
  readSession,
  SESSION_KEY,
  isStoredNewer,
  type Session,
  type StoredSession,
} from './session-store.ts'
import { upcast } from './operation.ts'
import type { Ports, Transaction } from './ports.ts'

const REFRESH_LOCK = 'cairn-refresh'
/** Longer than an exchange may take, so that a waiter sees its result. */
const REFRESH_LOCK_TIMEOUT_MS = 45_000

/** Takes what that user could read off the device: the copies, and what has arrived at the server. */
async function wipeUserData(tx: Transaction, user_id: string): Promise<void> {
  tx.deleteAll('cache', [user_id])
  for (const one of (await tx.all('operations', [])).map(upcast))
    if (one?.user_id === user_id && one.state === 'acknowledged') tx.delete('operations', one.id)
}

/** What asking for new tokens came to. Only a refusal signs anybody out. */
export type RefreshResult =
  | { result: 'refreshed'; access_token: string; refresh_token: string }
  | { result: 'refused' }
  | { result: 'unreachable' }

/** Whose call it is: its tokens are sent, and its organisation where the call belongs to one. */
export interface Caller {
  user_id: string
  organisation_id: string | null
}

export class SessionManager {
  readonly #ports: Ports
  readonly #requestTokens: (refresh_token: string) => Promise<RefreshResult>
  readonly #listeners = new Set<(kept: StoredSession) => void>()
  #current: StoredSession = { seq: 0, session: null }

  /** `ask` spends a refresh token at the token endpoint. */
  constructor(ports: Ports, requestTokens: (refresh_token: string) => Promise<RefreshResult>) {
    this.#ports = ports
    this.#requestTokens = requestTokens
  }

  /** What this context last saw. */
  current(): StoredSession {
    return this.#current
  }

  /** The signed-in user and the active organisation, null without one; undefined when signed out. */
  caller(): Caller | undefined {
    const { session } = this.#current
    if (!session) return undefined
    return { user_id: session.user.id, organisation_id: session.active_organisation?.id ?? null }
  }

  subscribe(listener: (kept: StoredSession) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Agrees with what `local` remembers: the copy with the higher sequence number wins, and of equal
   * ones the local one, which is what the page has been showing.
   */
  async start(remembered: StoredSession): Promise<StoredSession> {
    this.#current = remembered
    const stored = await this.#ports.store.transact(['session'], 'readwrite', async (tx) => {
      const inStore = await readSession(tx)
      if (isStoredNewer(remembered, inStore)) return inStore
      if (JSON.stringify(inStore.session) === JSON.stringify(remembered.session)) return inStore
      const agreed = { ...inStore, ...remembered }
      tx.put('session', SESSION_KEY, agreed)
      return agreed
    })
    this.#publish(stored)
    return stored
  }

  /** Reads it again: another context said that it changed. Writes it again where it was lost. */
  async reload(): Promise<StoredSession> {
    const stored = await this.#ports.store.transact(['session'], 'readonly', readSession)
    // Only who cleared the device's storage can have made it older.
    if (stored.seq < this.#current.seq) return await this.start(this.#current)
    this.#publish(stored)
    return stored
  }

  async signIn(session: Session): Promise<void> {
    await this.#write(async (stored, tx) => {
      const previousUser = stored.session?.user.id
      // Another tab signed somebody else in meanwhile: nothing of that user stays readable.
      if (previousUser !== undefined && previousUser !== session.user.id)
        await wipeUserData(tx, previousUser)
      return { session }
    })
  }

  /** Changes what is known of the same user; does nothing when somebody else is signed in by now. */
  async update(user_id: string, change: Partial<Pick<Session, 'user' | 'active_organisation'>>) {
    await this.#write(({ session }) =>
      session?.user.id === user_id ? { session: { ...session, ...change } } : undefined,
    )
  }

  /**
   * Ends the session of `user_id` and wipes what was cached for that user, in one transaction:
   * nothing of it is readable afterwards, and no write that was under way lands. What waits in the
   * outbox stays, sealed. With `refresh_token`, only if the session still holds that very token.
   */
  async signOut(user_id: string, forced: boolean, refresh_token?: string): Promise<void> {
    await this.#write(async (stored, tx) => {
      const { session } = stored
      if (session?.user.id !== user_id) return undefined
      if (refresh_token !== undefined && session.refresh_token !== refresh_token) return undefined
      await wipeUserData(tx, user_id)
      // What was being typed outlives a sign-out that nobody asked for.
      if (!forced) tx.deleteAll('drafts', [user_id])
      return { session: null, left: { user_id, forced } }
    })
  }

  /**
   * New tokens in place of `spent`, once for all contexts: under a lock that is never stolen, and
   * only if the session still has the access token that was refused.
   */
  async refresh(staleToken: {
    user_id: string
    access_token: string
  }): Promise<RefreshResult['result']> {
    const locked = await this.#ports.locks.withLock(
      REFRESH_LOCK,
      { timeoutMs: REFRESH_LOCK_TIMEOUT_MS },
      async (): Promise<RefreshResult['result']> => {
        const { session } = await this.reload()
        if (session?.user.id !== staleToken.user_id) return 'refused'
        if (session.access_token !== staleToken.access_token) return 'refreshed'
        const response = await this.#requestTokens(session.refresh_token)
        if (response.result === 'refused')
          await this.signOut(staleToken.user_id, true, session.refresh_token)
        if (response.result === 'refreshed')
          await this.#write((kept) =>
            kept.session?.refresh_token === session.refresh_token
              ? {
                  session: {
                    ...kept.session,
                    access_token: response.access_token,
                    refresh_token: response.refresh_token,
                  },
                }
              : undefined,
          )
        return response.result
      },
    )
    return locked?.value ?? 'unreachable'
  }

  async #write(
    change: (
      current: StoredSession,
      tx: Transaction,
    ) => Omit<StoredSession, 'seq'> | undefined | Promise<Omit<StoredSession, 'seq'> | undefined>,
  ): Promise<void> {
    let changed = false
    const current = await this.#ports.store.transact(
      ['session', 'cache', 'drafts', 'operations'],
      'strict',
      async (tx) => {
        const before = await readSession(tx)
        const after = await change(before, tx)
        changed = after !== undefined
        if (!after) return before
        const written: StoredSession = {
          ...after,
          seq: Math.max(before.seq, this.#current.seq) + 1,
        }
        tx.put('session', SESSION_KEY, written)
        return written
      },
    )
    this.#publish(current)
    if (changed) this.#ports.channel.post({ type: 'session' })
  }

  #publish(stored: StoredSession) {
    if (stored.seq < this.#current.seq) return
    this.#current = stored
    for (const listener of this.#listeners) listener(stored)
  }
}
