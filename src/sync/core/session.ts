// The session of the device. Stored in IndexedDB, which the worker can read, and under the
// specification's localStorage keys, which a page can read before its first paint. Both copies carry a
// sequence number: after a crash the newer one is used.
import { endRevocations, putRevocation, type Ending } from './replay/revocations.ts'
import {
  isStoredNewer,
  readSession,
  SESSION_KEY,
  type Session,
  type StoredSession,
} from './session-store.ts'
import { isSameServer } from './api/address.ts'
import { Contact } from './api/contact.ts'
import { Refreshes, type StaleToken } from './api/refreshes.ts'
import { sealDrafts, unsealDrafts } from './api/sealed-drafts.ts'
import { wipeAtSignOut, wipeUserData } from './api/user-data.ts'
import { UnsavedTokens, type NewTokens } from './api/unsaved-tokens.ts'
import type { MakeRoomFor, Ports, Transaction } from './ports.ts'
import type { RefreshResult } from './token-client.ts'

export const REFRESH_LOCK = 'cairn-refresh'
/** Longer than the timeout of a token request, so that a waiting context gets its result. */
export const REFRESH_LOCK_TIMEOUT_MS = 45_000

type RefreshOutcome = Exclude<RefreshResult['result'], 'doubtful'> | 'renewed'

/** Whose call it is: its tokens are sent, and its organisation where the call belongs to one. */
export interface Caller {
  user_id: string
  organisation_id: string | null
}

/** Reads and writes the session. Methods reject when storage fails. */
export class SessionManager {
  readonly #ports: Ports
  /** Where calls went when this context started. */
  readonly #firstBaseUrl: string
  readonly #requestTokens: (refresh_token: string) => Promise<RefreshResult>
  readonly #listeners = new Set<(stored: StoredSession) => void>()
  readonly #makeRoomFor: MakeRoomFor
  readonly #unsaved = new UnsavedTokens()
  #current: StoredSession = { seq: 0, session: null }
  #hasStartFailed = false
  readonly #refreshes = new Refreshes()
  /** How long the server has not answered, where the user wants to be forgotten then. */
  readonly contact: Contact

  /** `requestTokens` uses up a refresh token; it must not reject. */
  constructor(
    ports: Ports,
    requestTokens: (refresh_token: string) => Promise<RefreshResult>,
    makeRoomFor: MakeRoomFor = (write) => write(),
  ) {
    this.#ports = ports
    this.#firstBaseUrl = ports.api().baseUrl
    this.#requestTokens = requestTokens
    this.#makeRoomFor = makeRoomFor
    this.contact = new Contact(ports)
  }

  /** The session as this context last saw it. */
  current(): StoredSession {
    return this.#current
  }

  /** The signed-in user and the active organisation, null without one; undefined when signed out. */
  caller(): Caller | undefined {
    const { session } = this.#current
    if (!session) return undefined
    return { user_id: session.user.id, organisation_id: session.active_organisation?.id ?? null }
  }

  /** Calls `listener` when the session was written or read again; returns the function that ends it. */
  subscribe(listener: (stored: StoredSession) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Reconciles the page's copy with the stored one: the higher sequence number wins, of equal ones the page's, which
   * is on the screen. Keys that others have removed from it are a sign-out. Resolves to the session that both have now.
   */
  async start(local: StoredSession): Promise<StoredSession> {
    this.#current = local
    const started = this.#reconcile(local)
    const note = (hasFailed: boolean) => () => void (this.#hasStartFailed = hasFailed)
    void started.then(note(false), note(true))
    return await started
  }

  async #reconcile(local: StoredSession): Promise<StoredSession> {
    let leftUser: string | undefined
    const agree = async (tx: Transaction) => {
      const inStore = await this.#read(tx)
      if (isStoredNewer(local, inStore)) return inStore
      if (JSON.stringify(inStore.session) === JSON.stringify(local.session)) return inStore
      leftUser = local.session ? undefined : inStore.session?.user.id
      if (leftUser !== undefined) return inStore
      const agreed = { ...inStore, ...local }
      if (local.session && inStore.session?.user.id === local.session.user.id)
        this.#unsaved.renew(inStore.session, local.session)
      tx.put('session', SESSION_KEY, agreed)
      return agreed
    }
    const { store } = this.#ports
    const stored = await store
      .transact(['session'], 'readwrite', agree)
      // The page's tokens may not fit in.
      .catch(() => store.transact(['session'], 'readonly', (tx) => this.#read(tx)))
    if (leftUser === undefined) this.#publish(stored)
    else await this.signOut(leftUser, true)
    await this.#leaveOtherServer()
    await this.#forgetAfterSilence()
    return this.#current
  }

  /** Reads the stored session, which another context changed, or could not store `tokens` in. Restores a lost one. */
  async reload(tokens = this.#unsaved.tokens): Promise<StoredSession> {
    this.#unsaved.tokens = tokens
    if (tokens) await this.#saveTokens().catch(() => undefined)
    const stored = await this.#ports.store.transact(['session'], 'readonly', (tx) => this.#read(tx))
    // An older one is stored only after the device's storage was cleared.
    if (this.#hasStartFailed || stored.seq < this.#current.seq) return this.start(this.#current)
    this.#publish(stored)
    if (this.#ports.api().baseUrl !== this.#firstBaseUrl) await this.#leaveOtherServer()
    await this.#forgetAfterSilence()
    return this.#current
  }

  async #read(tx: Transaction): Promise<StoredSession> {
    await this.contact.read(tx)
    return this.#unsaved.over(await readSession(tx))
  }

  /** Signs the user out when the server has not answered for as many days as the user chose. */
  async #forgetAfterSilence(): Promise<void> {
    const { session } = this.#current
    const { days, isOver } = this.contact
    if (session && isOver) await this.signOut(session.user.id, true, { silentDays: days })
    else if (await this.contact.noteClock()) this.#publish(this.#current)
  }

  /** To be called when the server has answered the signed-in user. Never rejects. */
  noteAnswer(): void {
    const publish = (isNew: boolean) => isNew && this.#publish(this.#current)
    void this.contact.noteAnswer().then(publish, () => undefined)
  }

  /** After how many days without contact the device forgets its user; undefined for never. */
  async forgetAfter(days: number | undefined): Promise<void> {
    await this.contact.choose(days)
    this.#publish(this.#current)
  }

  /** Stores the session of a user who has just signed in, and what ends it on the server. */
  async signIn(session: Session, revocation_secret?: string): Promise<void> {
    await this.#write(async (stored, tx) => {
      const lastUser = stored.session?.user.id
      if (lastUser !== undefined) await endRevocations(tx, lastUser, this.#ports.clock.now())
      // Another tab has signed in another user meanwhile: that user's data must not stay readable.
      if (lastUser !== undefined && lastUser !== session.user.id)
        await wipeUserData(tx, lastUser, this.#ports)
      this.#putSecret(tx, session.user.id, revocation_secret)
      await this.contact.restart(tx)
      return { session, api: this.#ports.api().baseUrl }
    })
  }

  /** Whether the tokens are of the server that calls go to now. */
  get isOfThisServer(): boolean {
    return isSameServer(this.#ports.api(), this.#current.api)
  }

  /**
   * Signs the user out when the configuration names another server now; unsent operations stay, sealed. Not
   * where another context has signed in to a server that this one does not know of yet.
   */
  async #leaveOtherServer(): Promise<void> {
    const { session } = this.#current
    if (session && !this.isOfThisServer) await this.signOut(session.user.id, true)
  }

  /** Updates user or organisation; does nothing when `user_id` is not signed in any more. */
  async update(user_id: string, change: Partial<Pick<Session, 'user' | 'active_organisation'>>) {
    await this.#write(({ session }) =>
      session?.user.id === user_id ? { session: { ...session, ...change } } : undefined,
    )
  }

  /**
   * Ends the session of `user_id` and deletes the user's replicas in one transaction: nothing of them is readable
   * afterwards, and a write under way is rejected. Unsent operations stay, shown to that user only, or are discarded in
   * the same transaction. Resolves to how many sessions the server is to end.
   */
  async signOut(user_id: string, forced: boolean, ending: Ending = {}): Promise<number> {
    let ended = 0
    await this.#write(async (stored, tx) => {
      const { session } = stored
      const { refresh_token, silentDays: silent_days } = ending
      if (session?.user.id !== user_id) return undefined
      if (refresh_token !== undefined && session.refresh_token !== refresh_token) return undefined
      await this.contact.read(tx)
      if (silent_days !== undefined && !this.contact.isOver) return undefined
      await wipeAtSignOut(tx, user_id, this.#ports, { ...ending, forced })
      ended = await endRevocations(tx, user_id, this.#ports.clock.now(), ending)
      const wiped = ending.isLost || silent_days !== undefined
      return { session: null, left: { user_id, forced, silent_days, wiped } }
    })
    return ended
  }

  /**
   * Refreshes the tokens, once for all contexts: under a lock that is never stolen. `renewed` if the session had
   * other ones than the rejected access token; `unreachable` also without the lock.
   */
  async refresh(stale: StaleToken): Promise<RefreshOutcome> {
    const options = { timeoutMs: REFRESH_LOCK_TIMEOUT_MS }
    const locked = await this.#refreshes.share(stale.access_token, () =>
      this.#ports.locks.withLock(REFRESH_LOCK, options, () => this.#refresh(stale)),
    )
    return locked?.value ?? 'unreachable'
  }

  async #refresh({ user_id, access_token, isJson }: StaleToken): Promise<RefreshOutcome> {
    const { session } = await this.reload()
    if (session?.user.id !== user_id) return 'refused'
    if (session.access_token !== access_token) return 'renewed'
    const { refresh_token } = session
    const { clock } = this.#ports
    if (this.#refreshes.isFutile(refresh_token, clock.now())) return 'not-understood'
    const response = await this.#requestTokens(refresh_token)
    const result = this.#refreshes.interpret(response, { refresh_token, isJson, now: clock.now() })
    const isLost = response.result === 'refused' && response.isLost
    if (result === 'refused') await this.signOut(user_id, true, { refresh_token, isLost })
    if (response.result === 'refreshed') await this.#keepTokens(session, response)
    return result
  }

  #putSecret(tx: Transaction, user_id: string, secret: string | undefined) {
    const { baseUrl } = this.#ports.api()
    if (secret !== undefined) putRevocation(tx, { secret, user_id, api: baseUrl, ended_at: null })
  }

  /** Stores new tokens. Where that fails they are used all the same: those before are used up. */
  async #keepTokens(session: Session, renewed: Omit<NewTokens, 'instead_of'>): Promise<void> {
    const tokens = this.#unsaved.renew(session, renewed)
    await this.#makeRoomFor(() => this.#saveTokens()).catch(async () => {
      this.#publish(this.#unsaved.over(this.#current, session.access_token))
      this.#ports.channel.post({ type: 'session', tokens })
      // Within the lock: others would use up the old token again until the message reaches them.
      await this.#saveTokens().catch(() => undefined)
    })
  }

  async #saveTokens(): Promise<void> {
    const { tokens } = this.#unsaved
    await this.#write(({ session }) => (this.#unsaved.isOf(session) ? { session } : undefined))
    this.#unsaved.drop(tokens)
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
        const before = this.#unsaved.over(await readSession(tx))
        // Also of a session that a build without revocation secrets began.
        if (this.#unsaved.isOf(before.session))
          this.#putSecret(tx, before.session.user.id, this.#unsaved.tokens?.revocation_secret)
        const after = await change(before, tx)
        changed = after !== undefined
        if (!after) return before
        if (before.api !== undefined && !isSameServer(this.#ports.api(), before.api))
          await sealDrafts(tx, before.api)
        if (after.api !== undefined) await unsealDrafts(tx, this.#ports.api())
        const written: StoredSession = {
          api: before.api,
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
