// The sync client: what screens use of the engine. Its observables exist at once; the engine's chunk is
// loaded after the first paint, and all methods wait for it.
import type { Engine } from './core/engine.ts'
import type { EngineHandle } from './browser/start-engine.ts'
import { isContactOver, readStoredSession, readLoneTokens } from './browser/session-storage.ts'
import {
  isStoredNewer,
  readSession,
  type Session,
  type StoredSession,
} from './core/session-store.ts'
import { EngineState, Observable } from './core/observable.ts'
import type { Operation, OperationError } from './core/operation.ts'
import type { CallInput, EndpointRow, OfVersion } from './core/ports.ts'
import type { SentEntry } from './core/sent-log.ts'
import { IndexedDbStore } from './browser/indexeddb-store.ts'
import type { Credentials, SignInResult } from './core/token-client.ts'

/** A slow device needs seconds after a crash; storage that hangs must not keep the app from starting. */
const STORAGE_TIMEOUT_MS = 3_000

/**
 * Thrown for a call without a valid response. `message`, `code` and `errors` (by field) are those of
 * the error response, `message` is empty without one.
 */
export class CallError extends Error {
  override name = 'CallError'
  readonly kind: 'refused' | 'busy' | 'unreachable' | 'signed-out'
  /** HTTP status; undefined when no error response arrived. */
  readonly status: number | undefined
  readonly code: string | undefined
  readonly errors: Record<string, string[]>
  /** Whether the server answered with success, but not as agreed: it may have done what was asked. */
  readonly isTaken: boolean
  /** Whether the server answered, but not as agreed. */
  readonly isNotUnderstood: boolean

  constructor(
    kind: CallError['kind'],
    error?: OperationError,
    isTaken = false,
    isNotUnderstood = isTaken,
  ) {
    super(error?.message ?? '')
    this.kind = kind
    this.isTaken = isTaken
    this.isNotUnderstood = isNotUnderstood
    this.status = error?.status
    this.code = error?.code
    this.errors = error?.errors ?? {}
  }
}

/** Ignores that the answer of a call is not as agreed, where the server has done what was asked. */
export function ignoreTaken(problem: unknown): undefined {
  if (problem instanceof CallError && problem.isTaken) return undefined
  throw problem
}

/** The state of the engine and the calls to it. Methods reject when the engine cannot be loaded. */
export class SyncClient extends EngineState {
  readonly store = new IndexedDbStore()
  readonly storedSession = new Observable<StoredSession>(readStoredSession(localStorage))
  /** Why the engine could not be loaded; undefined without a failure. */
  readonly failure = new Observable<unknown>(undefined)

  /** How long the last operation took until it was stored, in milliseconds; undefined before the first. */
  readonly lastSave = new Observable<{ ms: number } | undefined>(undefined)

  /** The organisation that was chosen last in this page; undefined when none was, null when cleared. */
  chosenOrganisation: string | null | undefined

  readonly #loadEngine: (page: SyncClient) => Promise<EngineHandle>
  #handle: Promise<EngineHandle> | undefined

  /** `loadEngine` loads the engine's chunk and starts the engine for this page; called at most once. */
  constructor(loadEngine: (page: SyncClient) => Promise<EngineHandle>) {
    super()
    this.capabilities.set(localStorage.getItem('capabilities') ?? undefined)
    this.#loadEngine = loadEngine
  }

  /** Whether the device may have to forget its user, so that nothing is to be shown before the engine started. */
  get mayForgetUser(): boolean {
    return isContactOver(localStorage)
  }

  /** Whether there are tokens whose user the engine has to ask for. */
  get lacksUser() {
    return readLoneTokens(localStorage) !== undefined
  }

  /** Loads the engine at the first call. */
  ready(): Promise<EngineHandle> {
    this.#handle ??= this.#loadEngine(this).catch((error: unknown) => {
      this.failure.set(error)
      throw error
    })
    return this.#handle
  }

  /** The engine itself, for what this class does not offer. */
  async engine(): Promise<Engine> {
    return (await this.ready()).engine
  }

  /** Starts the engine. Resolves as `started` of its handle. */
  async start(): Promise<void> {
    await (
      await this.ready()
    ).started
  }

  /**
   * Reads the session from IndexedDB without the engine, with a timeout: a crash can have lost the copy
   * in localStorage. Never rejects.
   */
  async restoreSession(): Promise<void> {
    const stored = await Promise.race([
      this.store.transact(['session'], 'readonly', readSession).catch(() => undefined),
      new Promise<undefined>((resolve) => setTimeout(resolve, STORAGE_TIMEOUT_MS, undefined)),
    ])
    if (stored && isStoredNewer(this.storedSession.get(), stored)) this.storedSession.set(stored)
  }

  readonly session = {
    /** The signed-in user and the active organisation; null when signed out. */
    current: (): Session | null => this.storedSession.get().session,
    /** The last sign-out; undefined when there was none, or a user is signed in. */
    lastSignOut: () => this.storedSession.get().left,
  }

  readonly outbox = {
    /** Replaces the body of an operation, see Outbox.edit; undefined when the server may have it. */
    edit: (id: string, body: unknown, seen?: object, draft?: string[]) => {
      const shown = seen && { ...seen }
      return this.#changeOutbox(({ outbox }) => outbox.edit(id, body, shown, draft))
    },
    /** Sends a rejected operation again, unchanged. */
    resend: (id: string) => this.#changeOutbox(({ outbox }) => outbox.retry(id)),
    /** Removes an operation and its dependents; resolves to the removed ones. */
    discard: (id: string) => this.#changeOutbox(({ outbox }) => outbox.discard(id)),
    /** Undoes `discard`. */
    restore: (discarded: readonly Operation[]) =>
      this.#changeOutbox(({ outbox }) => outbox.restore(discarded)),
    /** Resolves the conflict that was shown: `keptFields` keep the user's value, the others the server's. */
    resolve: (asked: Operation, keptFields: readonly string[]) =>
      this.#changeOutbox(({ outbox }) => outbox.conflicts.resolve(asked, keptFields)),
  }

  async #changeOutbox<T>(change: (engine: Engine) => Promise<T>): Promise<T> {
    const { engine, requestBackgroundSync } = await this.ready()
    const result = await change(engine)
    await engine.outboxChanged()
    requestBackgroundSync()
    return result
  }

  /**
   * Enqueues a call; once this resolves it is "Saved on this device". `seen` is the record that an edit
   * changes, as the form showed it, to detect changes by others; `draft` is the key of the draft that is
   * deleted with it; it is not sent for `delayMs`, unless the user asks for it. Rejects with
   * StorageFullError when there is no room.
   */
  async enqueue<I extends CallInput>(
    row: EndpointRow<I, unknown>,
    input: I,
    seen?: object,
    draft?: string[],
    delayMs?: number,
  ): Promise<Operation> {
    const startedAt = performance.now()
    const shown = seen && { ...seen }
    const handle = await this.ready()
    const name = endpointName(handle, row)
    const operation = await handle.engine.enqueue(name, input, shown, draft, delayMs)
    this.lastSave.set({ ms: performance.now() - startedAt })
    handle.requestBackgroundSync()
    void navigator.storage?.persist?.().catch(() => false)
    return operation
  }

  /** The operations that the signed-in user sent in the last 14 days, latest first. */
  async recentlySent(): Promise<SentEntry[]> {
    return await (await this.ready()).recentlySent()
  }

  /** Makes a call now. Rejects with a CallError. */
  async call<I extends CallInput, A>(row: EndpointRow<I, A>, input: I & OfVersion): Promise<A> {
    // The value is validated by the schema that the row's type is derived from.
    return (await this.callByName(endpointName(await this.ready(), row), input)) as A
  }

  /**
   * Makes a call by its name, for modules that must not load the endpoint table. Rejects with a
   * CallError.
   */
  async callByName(name: string, input: CallInput): Promise<unknown> {
    const { engine, calls } = await this.ready()
    const call = calls[name]
    if (!call) throw new Error('Not a call of the contract.')
    const outcome = await engine.call(call, input)
    if (outcome.kind === 'answered') return outcome.value
    const error = 'error' in outcome ? outcome.error : undefined
    const isTaken = call.method !== 'GET' && 'isTaken' in outcome
    throw new CallError(outcome.kind, error, isTaken, 'notUnderstood' in outcome)
  }

  /** Never rejects for a network failure: see SignInResult. */
  async signIn(username: string, password: string): Promise<SignInResult> {
    return await this.signInWith({ grant_type: 'password', username, password })
  }

  /** Signs in with other credentials than a password. */
  async signInWith(credentials: Credentials): Promise<SignInResult> {
    return await (await this.engine()).signIn(credentials)
  }

  /** Signs out, and keeps the unsent operations on the device for the same user or discards them. */
  async signOut(unsent: 'keep' | 'discard'): Promise<void> {
    await (await this.engine()).signOut(unsent)
  }

  /** Sets or clears the active organisation. */
  async chooseOrganisation(organisation: Session['active_organisation']): Promise<void> {
    const engine = await this.engine()
    const session = this.session.current()
    if (!session) return
    this.chosenOrganisation = organisation && organisation.id
    await engine.session.update(session.user.id, { active_organisation: organisation })
    engine.wake()
  }

  /** The place in the order of a read that begins now, for `update`. */
  readonly begin = (): number => (this.#begun += 1)
  #begun = 0
  /** By what was stored last: the place of the read, or of the write, that it came from. */
  readonly #stored: Record<string, number> = {}

  /**
   * Stores newer data of the signed-in user and of the organisation, if it is still the active one. What
   * a read returned that `begun` before the data stored last is older than that, and left out.
   */
  readonly update = async (
    user_id: string,
    change: Partial<Pick<Session, 'user' | 'active_organisation'>>,
    begun = this.begin(),
  ): Promise<void> => {
    for (const name of Object.keys(change)) {
      if (begun < (this.#stored[name] ?? 0)) return
      this.#stored[name] = begun
    }
    const engine = await this.engine()
    const active = this.session.current()?.active_organisation?.id
    if (change.active_organisation && change.active_organisation.id !== active) return
    await engine.session.update(user_id, change)
  }

  /**
   * Sends and pulls now, whatever the engine itself would wait for; what can be undone only with
   * `endsUndo`. Resolves when the pull has ended, to the time in epoch milliseconds until which the server
   * asked to wait; undefined if it did not.
   */
  async syncNow(endsUndo = false): Promise<number | undefined> {
    const until = await (await this.engine()).sendNow(endsUndo)
    await this.pull()
    return until
  }

  /** Pulls the active organisation to its end; shared with a running pull. */
  async pull(): Promise<void> {
    await (await this.engine()).pullScheduler.pull()
  }
}

/** The name of a row in the endpoint table. Throws for another object. */
function endpointName({ names }: EngineHandle, row: object): string {
  const name = names.get(row)
  if (name === undefined) throw new Error('Not a call of the contract.')
  return name
}

let instance: SyncClient | undefined

/** Creates the sync client of this page. Called once, before the first render. */
export function createSync(loadEngine: (page: SyncClient) => Promise<EngineHandle>): SyncClient {
  instance = new SyncClient(loadEngine)
  const { store } = instance
  // See IndexedDbStore.suspend. Before the listeners of drafts, whose last save would wait behind them.
  addEventListener('pagehide', () => store.suspend())
  addEventListener('pageshow', () => store.resume())
  return instance
}

/** The sync client of this page. Throws before `createSync`. */
export function sync(): SyncClient {
  if (!instance) throw new Error('The sync client is not created.')
  return instance
}
