// The engine of one context: decides when to send and when to read, and tells who watches. It runs
// on ports only.
import { Cache, evictAll, type Partitions, type Scope } from './cache.ts'
import { Connection } from './connection.ts'
import { Download, type Sources } from './download.ts'
import { Http, type Outcome } from './http.ts'
import { Live } from './live.ts'
import type { Operation } from './operation.ts'
import { OutboxView } from './outbox-view.ts'
import { Outbox } from './outbox.ts'
import {
  StorageFullError,
  type Call,
  type CallInput,
  type Message,
  type Ports,
  type Touched,
} from './ports.ts'
import { Reading, sameScope } from './reading.ts'
import { Replay } from './replay.ts'
import { SendingView } from './sending-view.ts'
import { SessionKeeper, type Kept } from './session.ts'
import { askForTokens, signIn, type Credentials, type SignIn, type TokenCalls } from './tokens.ts'

/** A context that holds the replay lock longer than this is taken for frozen. Milliseconds. */
const FROZEN = 60_000

export interface Wiring {
  ports: Ports
  partitions: Partitions
  sources: Sources
  /** Asked when nothing was answered. Whatever the server answers, it is there. */
  probe: Call
  /** Tells when the organisation has moved on. */
  events: Call
  token: TokenCalls
  /** Puts what landed in the cache on the screens. */
  onTouched(scope: Scope, touched: Touched): Promise<void>
  /** Runs `work` after that many milliseconds; returns what cancels it. */
  later: (wait: number, work: () => void) => () => void
}

export class Engine {
  readonly outbox: Outbox
  readonly session: SessionKeeper
  readonly http: Http
  readonly operations: OutboxView['operations']
  readonly sending: SendingView['ids']
  readonly #connection: Connection
  readonly connection: Connection['state']
  readonly syncedAt: Reading['syncedAt']
  readonly reading: Reading
  readonly live: Live

  readonly #wiring: Wiring
  readonly #ports: Ports
  readonly #replay: Replay
  readonly #download: Download
  #replaying = false
  #hearing: Promise<void> = Promise.resolve()
  readonly #view: OutboxView

  constructor(wiring: Wiring) {
    const { ports } = wiring
    this.#wiring = wiring
    this.#ports = ports
    this.outbox = new Outbox(ports)
    this.#view = new OutboxView(
      this.outbox,
      (gone) => this.#leaving(gone),
      () => this.#connection.tryAgain(),
    )
    this.operations = this.#view.operations
    this.#connection = new Connection(
      (wait) => wiring.later(wait, () => this.wake()),
      () => ports.random.fraction(),
      () => {
        this.#send()
        void this.pull()
        this.live.changed()
      },
    )
    this.connection = this.#connection.state
    this.session = new SessionKeeper(ports, async (token) => {
      const asked = await askForTokens(ports, wiring.token, token)
      this.#connection.heard(asked.result !== 'unreachable')
      return asked
    })
    this.http = new Http(ports, this.session, (answered) => this.#connection.heard(answered))
    const sending = new SendingView(wiring.later, (ids) => {
      ports.channel.post({ type: 'sending', ids })
      void this.#view.reload()
    })
    this.sending = sending.ids
    this.#replay = new Replay(ports, this.outbox, this.session, this.http, (ids) =>
      sending.changed(ids),
    )
    this.#download = new Download(ports, this.http, this.outbox, wiring, async (cache, touched) => {
      await wiring.onTouched(cache.scope, touched)
      ports.channel.post({ type: 'cache', scope: cache.scope, touched })
      await this.reading.tellAge()
    })
    this.reading = new Reading(
      this.#download,
      this.#connection,
      () => this.cache(),
      () => this.#view.reload(),
    )
    this.syncedAt = this.reading.syncedAt
    this.live = new Live({
      ports,
      http: this.http,
      events: wiring.events,
      later: wiring.later,
      active: () => this.cache(),
      pull: () => this.reading.pullAgain(),
      reachable: () => !this.#connection.offline,
    })
    this.session.subscribe(() => this.live.changed())
  }

  /** Begins with what the page remembers of the session, and goes to work. */
  async start(local: Kept): Promise<void> {
    this.#ports.channel.listen((message) => {
      // In turn, or an operation could leave the screen before its copy is on it. What fails is tried again.
      this.#hearing = this.#hearing
        .then(() => this.#hear(message))
        .catch(() => this.#connection.tryAgain())
    })
    this.#ports.store.onTaken = () => void this.#view.reload().then(() => this.wake())
    await this.session.start(local)
    await this.#view.reload()
    this.wake()
  }

  /** Something may have changed outside: the network came, the app was opened, the clock moved on. */
  wake(): void {
    // Another context may have ended the session, and the word of it be lost.
    void this.session.reload().catch(() => undefined)
    void this.reading.tellAge().catch(() => undefined)
    if (this.#view.stale) void this.#view.reload().then(() => this.#send())
    if (!this.#ports.network.mayBeOnline()) return this.connection.set('offline')
    if (this.#connection.offline) return void this.http.call(this.#wiring.probe, {})
    this.#send()
    void this.pull()
    this.live.changed()
  }

  /**
   * Keeps a queueable call; resolves when it is on the disk. Rejects with StorageFullError. `seen` is
   * the record that an edit changes, as its author saw it.
   */
  async queue(
    endpoint: string,
    input: CallInput,
    seen?: Record<string, unknown>,
  ): Promise<Operation> {
    const { session } = this.session.current()
    if (!session) throw new Error('Nobody is signed in.')
    const said = {
      endpoint,
      input,
      seen,
      user_id: session.user.id,
      organisation_id: this.#ports.calls[endpoint]?.tenant
        ? (session.active_organisation?.id ?? null)
        : null,
    }
    const operation = await this.outbox.add(said).catch(async (error: unknown) => {
      if (!(error instanceof StorageFullError)) throw error
      await evictAll(this.#ports.store)
      return await this.outbox.add(said)
    })
    this.#view.learn(operation)
    this.#ports.channel.post({ type: 'operations' })
    this.#replay.changed()
    this.#send()
    return operation
  }

  /** Somebody changed the outbox in this context. */
  async outboxChanged(): Promise<void> {
    this.#ports.channel.post({ type: 'operations' })
    this.#replay.changed()
    await this.#view.reload()
    this.#send()
  }

  /** A call that goes out at once or not at all, as the signed-in user. */
  async call(call: Call, input: CallInput): Promise<Outcome> {
    const { session } = this.session.current()
    return await this.http.call(call, input, {
      caller: session
        ? { user_id: session.user.id, organisation_id: session.active_organisation?.id ?? null }
        : undefined,
    })
  }

  /** The cache of the active organisation; undefined when there is none. */
  cache(): Cache | undefined {
    const { session } = this.session.current()
    const organisation_id = session?.active_organisation?.id
    if (!session || organisation_id === undefined) return undefined
    return this.cacheOf({ user_id: session.user.id, organisation_id })
  }

  cacheOf(scope: Scope): Cache {
    return new Cache(this.#ports.store, this.#wiring.partitions, scope)
  }

  /** Reads the active organisation to its end; shared by all who ask while it runs. */
  pull(): Promise<void> {
    return this.reading.pull()
  }

  /** Brings one partition of a collection; false when the server could not be asked. */
  pullPart(cache: Cache, name: string, partition: string): Promise<boolean> {
    return this.reading.pullPart(cache, name, partition)
  }

  /** Whether the server knows no `changes`: then partitions are read when they are opened. */
  get listsOnly(): boolean {
    return this.#download.listsOnly
  }

  #isActive(scope: Scope): boolean {
    return sameScope(this.cache()?.scope, scope)
  }

  /** Exchanges credentials for a session, and goes to work. */
  async signIn(credentials: Credentials): Promise<SignIn> {
    const { token } = this.#wiring
    const signedIn = await signIn(this.http, this.session, token, credentials)
    if (!signedIn.ok) return signedIn
    await this.#view.reload()
    this.wake()
    return signedIn
  }

  /** Signs out because the user asked to; what waits is kept, sealed, or thrown away. */
  async signOut(unsent: 'keep' | 'discard'): Promise<void> {
    const { session } = this.session.current()
    if (!session) return
    if (unsent === 'discard') await this.outbox.discardAllOf(session.user.id)
    await this.session.end(session.user.id, false)
    await this.#view.reload()
  }

  #send(): void {
    if (!this.session.current().session) return
    if (this.#replaying) return this.#replay.changed()
    if (!this.#ports.network.mayBeOnline() || this.#connection.offline) return
    if (!this.operations.get().some((one) => one.state === 'pending')) return
    this.#replaying = true
    void this.#replay
      .run(FROZEN)
      .then(async (result) => {
        this.#replaying = false
        await this.#view.reload()
        if (result && result.acknowledged > 0) {
          this.#connection.worked()
          this.#ports.channel.post({ type: 'operations' })
          // Brings back what was just acknowledged.
          void this.reading.pullAgain()
        }
        if (result?.unreachable) this.#connection.tryAgain()
        else if (result?.again !== undefined) this.#connection.tryAgain(result.again)
      })
      .catch(() => {
        this.#replaying = false
        this.#connection.tryAgain()
      })
  }

  async #hear(message: Message): Promise<void> {
    if (message.type === 'sending') this.sending.set(new Set(message.ids))
    if (message.type === 'cache') {
      await this.#wiring.onTouched(message.scope, message.touched)
      await this.reading.tellAge()
    }
    if (message.type === 'session') await this.session.reload()
    if (message.type === 'sent') this.wake()
    await this.#view.reload()
    if (message.type === 'operations') {
      this.#replay.changed()
      this.#send()
    }
  }

  /**
   * Another context may have settled an operation, and its message about the copies be still on the
   * way: what the operation did is put on these screens before it leaves them.
   */
  async #leaving(gone: Operation): Promise<void> {
    const { user_id, organisation_id } = gone
    if (organisation_id === null) return
    const scope = { user_id, organisation_id }
    if (this.#isActive(scope)) await this.#wiring.onTouched(scope, this.#download.touchedBy(gone))
  }
}
