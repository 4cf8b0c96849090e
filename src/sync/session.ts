// Who is signed in on this device. It lives in IndexedDB, where the worker can read it, and under the
// specification's localStorage keys, where a page can read it before it paints. Each carries a
// sequence number: after a kill the newer one wins.
import { keptIn, MIRROR, mirrorWins } from './mirror.ts'
import { upcast } from './operation.ts'
import type { Ports, Transaction } from './ports.ts'

export interface Session {
  access_token: string
  refresh_token: string
  user: { id: string } & Record<string, unknown>
  active_organisation: ({ id: string } & Record<string, unknown>) | null
}

export interface Kept {
  seq: number
  session: Session | null
  /** Who was signed out last, and how, so that the sign-in page can say what waits for whom. */
  left?: { user_id: string; forced: boolean }
}

const REFRESH_LOCK = 'cairn-refresh'
/** Longer than an exchange may take, so that a waiter sees its result. */
const REFRESH_PATIENCE = 45_000

/** Takes what that user could read off the device: the copies, and what has arrived at the server. */
async function forget(tx: Transaction, user_id: string): Promise<void> {
  tx.deleteAll('cache', [user_id])
  for (const one of (await tx.all('operations', [])).map(upcast))
    if (one?.user_id === user_id && one.state === 'acknowledged') tx.delete('operations', one.id)
}

/** What asking for new tokens came to. Only a refusal signs anybody out. */
export type Refreshed =
  | { result: 'refreshed'; access_token: string; refresh_token: string }
  | { result: 'refused' }
  | { result: 'unreachable' }

export class SessionKeeper {
  readonly #ports: Ports
  readonly #ask: (refresh_token: string) => Promise<Refreshed>
  readonly #listeners = new Set<(kept: Kept) => void>()
  #current: Kept = { seq: 0, session: null }

  /** `ask` spends a refresh token at the token endpoint. */
  constructor(ports: Ports, ask: (refresh_token: string) => Promise<Refreshed>) {
    this.#ports = ports
    this.#ask = ask
  }

  /** What this context last saw. */
  current(): Kept {
    return this.#current
  }

  subscribe(listener: (kept: Kept) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Agrees with what `local` remembers: the copy with the higher sequence number wins, and of equal
   * ones the local one, which is what the page has been showing.
   */
  async start(local: Kept): Promise<Kept> {
    this.#current = local
    const kept = await this.#ports.store.transact(['session'], 'readwrite', async (tx) => {
      const mirror = await keptIn(tx)
      if (mirrorWins(local, mirror)) return mirror
      if (JSON.stringify(mirror.session) === JSON.stringify(local.session)) return mirror
      const agreed = { ...mirror, ...local }
      tx.put('session', MIRROR, agreed)
      return agreed
    })
    this.#show(kept)
    return kept
  }

  /** Reads it again: another context said that it changed. Writes it again where it was lost. */
  async reload(): Promise<Kept> {
    const kept = await this.#ports.store.transact(['session'], 'readonly', keptIn)
    // Only who cleared the device's storage can have made it older.
    if (kept.seq < this.#current.seq) return await this.start(this.#current)
    this.#show(kept)
    return kept
  }

  async signIn(session: Session): Promise<void> {
    await this.#write(async (kept, tx) => {
      const before = kept.session?.user.id
      // Another tab signed somebody else in meanwhile: nothing of that user stays readable.
      if (before !== undefined && before !== session.user.id) await forget(tx, before)
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
  async end(user_id: string, forced: boolean, refresh_token?: string): Promise<void> {
    await this.#write(async (kept, tx) => {
      const { session } = kept
      if (session?.user.id !== user_id) return undefined
      if (refresh_token !== undefined && session.refresh_token !== refresh_token) return undefined
      await forget(tx, user_id)
      // What was being typed outlives a sign-out that nobody asked for.
      if (!forced) tx.deleteAll('drafts', [user_id])
      return { session: null, left: { user_id, forced } }
    })
  }

  /**
   * New tokens in place of `spent`, once for all contexts: under a lock that is never stolen, and
   * only if the session still has the access token that was refused.
   */
  async refresh(spent: { user_id: string; access_token: string }): Promise<Refreshed['result']> {
    const held = await this.#ports.locks.hold(
      REFRESH_LOCK,
      { patience: REFRESH_PATIENCE },
      async (): Promise<Refreshed['result']> => {
        const { session } = await this.reload()
        if (session?.user.id !== spent.user_id) return 'refused'
        if (session.access_token !== spent.access_token) return 'refreshed'
        const answer = await this.#ask(session.refresh_token)
        if (answer.result === 'refused') await this.end(spent.user_id, true, session.refresh_token)
        if (answer.result === 'refreshed')
          await this.#write((kept) =>
            kept.session?.refresh_token === session.refresh_token
              ? {
                  session: {
                    ...kept.session,
                    access_token: answer.access_token,
                    refresh_token: answer.refresh_token,
                  },
                }
              : undefined,
          )
        return answer.result
      },
    )
    return held?.value ?? 'unreachable'
  }

  async #write(
    change: (
      kept: Kept,
      tx: Transaction,
    ) => Omit<Kept, 'seq'> | undefined | Promise<Omit<Kept, 'seq'> | undefined>,
  ): Promise<void> {
    let changed = false
    const kept = await this.#ports.store.transact(
      ['session', 'cache', 'drafts', 'operations'],
      'strict',
      async (tx) => {
        const before = await keptIn(tx)
        const after = await change(before, tx)
        changed = after !== undefined
        if (!after) return before
        const written: Kept = { ...after, seq: Math.max(before.seq, this.#current.seq) + 1 }
        tx.put('session', MIRROR, written)
        return written
      },
    )
    this.#show(kept)
    if (changed) this.#ports.channel.post({ type: 'session' })
  }

  #show(kept: Kept) {
    if (kept.seq < this.#current.seq) return
    this.#current = kept
    for (const listener of this.#listeners) listener(kept)
  }
}
