// The engine of this page, and what screens may ask of it.
import { QueryClient } from '@tanstack/react-query'
import { channel, clock, locks, network, random } from './browser-ports.ts'
import type { Partitions } from './cache.ts'
import type { Sources } from './download.ts'
import { Engine } from './engine.ts'
import { readLocal, writeLocal } from './local-session.ts'
import type { Operation, OperationError } from './operation.ts'
import type { Call, CallInput, Calls, Row } from './ports.ts'
import { putOnScreens } from './queries.ts'
import { forgetFirstScreen } from './first-screen.ts'
import type { Session } from './session.ts'
import { IndexedDbStore } from './store-indexeddb.ts'
import type { SignIn, TokenCalls } from './tokens.ts'

/**
 * How long a start waits for storage to say who is signed in, in milliseconds. A slow device that has
 * just been killed takes a while; one that hangs must not keep the app shut.
 */
const PATIENCE = 3_000

/** How often an open app looks for what is new, in milliseconds. */
const LOOK_EVERY = 60_000

/** The product, as the engine needs to know it. */
export interface Product {
  calls: Calls
  names: ReadonlyMap<object, string>
  writeQuery: (query: Record<string, unknown>) => string
  partitions: Partitions
  sources: Sources
  probe: Call
  token: TokenCalls
  baseUrl: () => string
}

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

export class Sync {
  readonly store = new IndexedDbStore()
  readonly engine: Engine
  readonly queries: QueryClient
  readonly product: Product

  constructor(product: Product) {
    this.product = product
    this.queries = new QueryClient({
      defaultOptions: {
        // As the specification sets it (section 7). `offlineFirst`, or a query that is paused
        // offline would never ask the device.
        queries: { retry: false, refetchOnWindowFocus: false, networkMode: 'offlineFirst' },
        mutations: { retry: false, networkMode: 'always' },
      },
    })
    this.engine = new Engine({
      ...product,
      ports: {
        ...product,
        clock,
        random,
        locks,
        store: this.store,
        network: network(product.baseUrl),
        channel: channel(),
      },
      onTouched: (scope, touched) => putOnScreens(this, scope, touched),
      later: (wait, work) => {
        const timer = setTimeout(work, wait)
        return () => clearTimeout(timer)
      },
    })
  }

  readonly session = {
    /** Who is signed in here, and the active organisation. */
    current: (): Session | null => this.engine.session.current().session,
    /** Who was signed out last, and whether by force. */
    left: () => this.engine.session.current().left,
  }

  readonly outbox = {
    /** Says a waiting operation differently; undefined when it was too late. */
    edit: (id: string, body: unknown) => this.#changing(this.engine.outbox.edit(id, body)),
    /** Tries a refused operation again. */
    resend: (id: string) => this.#changing(this.engine.outbox.resend(id)),
    /** Takes an operation back, with all that depends on it; returns what was taken back. */
    discard: (id: string) => this.#changing(this.engine.outbox.discard(id)),
  }

  async #changing<T>(change: Promise<T>): Promise<T> {
    const result = await change
    await this.engine.outboxChanged()
    return result
  }

  /**
   * Reads the session, goes to work, and listens to all that may bring the network back. Resolves
   * when the device has been asked who is signed in; storage that hangs is not waited for.
   */
  async start(): Promise<void> {
    this.engine.session.subscribe((kept) => {
      const before = this.#shown
      this.#shown = kept.session
      writeLocal(localStorage, kept)
      if (before && before.user.id !== kept.session?.user.id) {
        this.queries.clear()
        forgetFirstScreen()
      }
    })
    const local = readLocal(localStorage)
    this.#shown = local.session
    const started = this.engine.start(local).catch(() => this.engine.wake())
    const wake = () => this.engine.wake()
    addEventListener('online', wake)
    addEventListener('offline', wake)
    addEventListener('pageshow', wake)
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') wake()
    })
    setInterval(() => {
      if (document.visibilityState === 'visible') wake()
    }, LOOK_EVERY)
    await Promise.race([started, new Promise((resolve) => setTimeout(resolve, PATIENCE))])
  }

  #shown: Session | null = null

  /** Keeps a queueable call; "Saved on this device" is true once this resolves. */
  async send<I extends CallInput>(row: Row<I, unknown>, input: I): Promise<Operation> {
    const operation = await this.engine.queue(this.nameOf(row), input)
    void navigator.storage?.persist?.().catch(() => false)
    return operation
  }

  /** Makes a call now, or throws a CallError that says why not. */
  async call<I extends CallInput, A>(row: Row<I, A>, input: I): Promise<A> {
    const call = this.product.calls[this.nameOf(row)]
    if (!call) throw new Error('Not a call of the contract.')
    const outcome = await this.engine.call(call, input)
    // The call's own schema has read it, so it is what the row's type says.
    if (outcome.kind === 'answered') return outcome.value as A
    throw new CallError(outcome.kind, 'error' in outcome ? outcome.error : undefined)
  }

  signIn(username: string, password: string): Promise<SignIn> {
    return this.engine.signIn(username, password)
  }

  signOut(unsent: 'keep' | 'discard'): Promise<void> {
    return this.engine.signOut(unsent)
  }

  /** Sets or clears the active organisation; what others say of the same user is left alone. */
  async chooseOrganisation(organisation: Session['active_organisation']): Promise<void> {
    const session = this.session.current()
    if (!session) return
    await this.engine.session.update(session.user.id, { active_organisation: organisation })
    this.engine.wake()
  }

  /** Notes what the server says of the signed-in user and of the organisation that is still active. */
  readonly update = async (
    user_id: string,
    change: Partial<Pick<Session, 'user' | 'active_organisation'>>,
  ): Promise<void> => {
    const active = this.session.current()?.active_organisation?.id
    if (change.active_organisation && change.active_organisation.id !== active) return
    await this.engine.session.update(user_id, change)
  }

  /** Tries at once, whatever was waited for. */
  async sendNow(): Promise<void> {
    this.engine.wake()
    await this.engine.pull()
  }

  newId(): string {
    return random.id()
  }

  /** The name of a row in the contract's table. */
  readonly nameOf = (row: object): string => {
    const name = this.product.names.get(row)
    if (name === undefined) throw new Error('Not a call of the contract.')
    return name
  }
}

let started: Sync | undefined

/** Makes the engine of this page. Called once, before the first render. */
export function createSync(product: Product): Sync {
  started = new Sync(product)
  return started
}

/** The engine of this page. */
export function sync(): Sync {
  if (!started) throw new Error('The engine is not started.')
  return started
}
