// The engine of this page, and what screens may ask of it. What they watch is here from the first moment
// on; what does the work is fetched behind the first paint, and all that needs it waits for it.
import type { Engine } from './core/engine.ts'
import type { EngineHandle } from './browser/start-engine.ts'
import { readStoredSession } from './browser/session-storage.ts'
import {
  isStoredNewer,
  readSession,
  type Session,
  type StoredSession,
} from './core/session-store.ts'
import { EngineState, Observable } from './core/observable.ts'
import type { Operation, OperationError } from './core/operation.ts'
import type { CallInput, EndpointRow } from './core/ports.ts'
import type { SentEntry } from './core/sent-log.ts'
import { IndexedDbStore } from './browser/indexeddb-store.ts'
import type { SignInResult } from './core/token-client.ts'

/**
 * How long a start waits for storage to say who is signed in, in milliseconds. A slow device that has
 * just been killed takes a while; one that hangs must not keep the app shut.
 */
const STORAGE_TIMEOUT_MS = 3_000

/** A call that did not come to its answer; `message` and `errors` are the server's words. */
export class CallError extends Error {
  override name = 'CallError'
  readonly kind: 'refused' | 'busy' | 'unreachable' | 'signed-out'
  readonly status: number | undefined
  readonly code: string | undefined
  readonly errors: Record<string, string[]>

  constructor(kind: CallError['kind'], error?: OperationError) {
    super(error?.message ?? '')
    this.kind = kind
    this.status = error?.status
    this.code = error?.code
    this.errors = error?.errors ?? {}
  }
}

export class SyncClient extends EngineState {
  readonly store = new IndexedDbStore()
  readonly storedSession = new Observable<StoredSession>(readStoredSession(localStorage))
  /** Why the half that works could not be fetched; undefined while nothing is wrong. */
  readonly failure = new Observable<unknown>(undefined)

  readonly #loadEngine: (page: SyncClient) => Promise<EngineHandle>
  #handle: Promise<EngineHandle> | undefined

  /** `begin` fetches the half that works, and starts it. */
  constructor(loadEngine: (page: SyncClient) => Promise<EngineHandle>) {
    super()
    this.#loadEngine = loadEngine
  }

  /** The half that works. Rejects where its files cannot be had. */
  ready(): Promise<EngineHandle> {
    this.#handle ??= this.#loadEngine(this).catch((error: unknown) => {
      this.failure.set(error)
      throw error
    })
    return this.#handle
  }

  async engine(): Promise<Engine> {
    return (await this.ready()).engine
  }

  /** Goes to work. Resolves when the device has been asked who is signed in. */
  async start(): Promise<void> {
    await (
      await this.ready()
    ).started
  }

  /**
   * Asks the device's own storage who is signed in; storage that hangs is not waited for. A kill may
   * have cost the page the last of its quick copy.
   */
  async restoreSession(): Promise<void> {
    const stored = await Promise.race([
      this.store.transact(['session'], 'readonly', readSession).catch(() => undefined),
      new Promise<undefined>((resolve) => setTimeout(resolve, STORAGE_TIMEOUT_MS, undefined)),
    ])
    if (stored && isStoredNewer(this.storedSession.get(), stored)) this.storedSession.set(stored)
  }

  readonly session = {
    /** Who is signed in here, and the active organisation. */
    current: (): Session | null => this.storedSession.get().session,
    /** Who was signed out last, and whether by force. */
    lastSignOut: () => this.storedSession.get().left,
  }

  readonly outbox = {
    /** Says a waiting operation differently; undefined when it was too late. */
    edit: (id: string, body: unknown, seen?: object) => {
      const shown = seen && { ...seen }
      return this.#changeOutbox(({ outbox }) => outbox.edit(id, body, shown))
    },
    /** Tries a refused operation again. */
    resend: (id: string) => this.#changeOutbox(({ outbox }) => outbox.retry(id)),
    /** Takes an operation back, with all that depends on it; returns what was taken back. */
    discard: (id: string) => this.#changeOutbox(({ outbox }) => outbox.discard(id)),
    /** Puts back what was taken back. */
    restore: (discarded: readonly Operation[]) =>
      this.#changeOutbox(({ outbox }) => outbox.restore(discarded)),
    /** Answers a question: the fields in `keep` are said all the same, the others given up. */
    resolve: (id: string, keep: readonly string[]) =>
      this.#changeOutbox(({ outbox }) => outbox.conflicts.resolve(id, keep)),
  }

  async #changeOutbox<T>(change: (engine: Engine) => Promise<T>): Promise<T> {
    const { engine, requestBackgroundSync: mindQueue } = await this.ready()
    const result = await change(engine)
    await engine.outboxChanged()
    mindQueue()
    return result
  }

  /**
   * Keeps a queueable call; "Saved on this device" is true once this resolves. `seen` is the record
   * that an edit changes, as the form showed it: what others change meanwhile is never undone unseen.
   */
  async enqueue<I extends CallInput>(
    row: EndpointRow<I, unknown>,
    input: I,
    seen?: object,
  ): Promise<Operation> {
    const shown = seen && { ...seen }
    const handle = await this.ready()
    const operation = await handle.engine.enqueue(endpointName(handle, row), input, shown)
    handle.requestBackgroundSync()
    void navigator.storage?.persist?.().catch(() => false)
    return operation
  }

  /** What the signed-in user has sent in the last 24 hours, the latest first. */
  async recentlySent(): Promise<SentEntry[]> {
    return await (await this.ready()).recentlySent()
  }

  /** Makes a call now, or throws a CallError that says why not. */
  async call<I extends CallInput, A>(row: EndpointRow<I, A>, input: I): Promise<A> {
    // The call's own schema has read it, so it is what the row's type says.
    return (await this.callByName(endpointName(await this.ready(), row), input)) as A
  }

  /** The same by the call's name in the contract's table, for who must not fetch the table. */
  async callByName(name: string, input: CallInput): Promise<unknown> {
    const { engine, calls } = await this.ready()
    const call = calls[name]
    if (!call) throw new Error('Not a call of the contract.')
    const outcome = await engine.call(call, input)
    if (outcome.kind === 'answered') return outcome.value
    throw new CallError(outcome.kind, 'error' in outcome ? outcome.error : undefined)
  }

  async signIn(username: string, password: string): Promise<SignInResult> {
    return await (await this.engine()).signIn({ grant_type: 'password', username, password })
  }

  /** Signs in whom that provider vouches for by `token`, which it made for this `nonce`. */
  async signInSocially(provider: string, token: string, nonce: string): Promise<SignInResult> {
    const engine = await this.engine()
    return await engine.signIn({ grant_type: 'social', provider, token, nonce })
  }

  async signOut(unsent: 'keep' | 'discard'): Promise<void> {
    await (await this.engine()).signOut(unsent)
  }

  /** Sets or clears the active organisation; what others say of the same user is left alone. */
  async chooseOrganisation(organisation: Session['active_organisation']): Promise<void> {
    const engine = await this.engine()
    const session = this.session.current()
    if (!session) return
    await engine.session.update(session.user.id, { active_organisation: organisation })
    engine.wake()
  }

  /** Notes what the server says of the signed-in user and of the organisation that is still active. */
  readonly update = async (
    user_id: string,
    change: Partial<Pick<Session, 'user' | 'active_organisation'>>,
  ): Promise<void> => {
    const engine = await this.engine()
    const active = this.session.current()?.active_organisation?.id
    if (change.active_organisation && change.active_organisation.id !== active) return
    await engine.session.update(user_id, change)
  }

  /** Tries at once, whatever was waited for. */
  async syncNow(): Promise<void> {
    ;(await this.engine()).wake()
    await this.pull()
  }

  /** Reads the active organisation to its end. */
  async pull(): Promise<void> {
    await (await this.engine()).pullScheduler.pull()
  }
}

function endpointName({ names }: EngineHandle, row: object): string {
  const name = names.get(row)
  if (name === undefined) throw new Error('Not a call of the contract.')
  return name
}

let instance: SyncClient | undefined

/** Makes the engine of this page. Called once, before the first render. */
export function createSync(loadEngine: (page: SyncClient) => Promise<EngineHandle>): SyncClient {
  instance = new SyncClient(loadEngine)
  const { store } = instance
  addEventListener('pagehide', ({ persisted }) => persisted && store.suspend())
  addEventListener('pageshow', () => store.resume())
  return instance
}

/** The engine of this page. */
export function sync(): SyncClient {
  if (!instance) throw new Error('The engine is not started.')
  return instance
}
