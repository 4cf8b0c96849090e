// The engine of one context: decides when to send and when to read, and tells who watches. It runs
// on ports only.
import { Replica, evictReplicas, type Partitions, type Scope } from './replica.ts'
import { Connection } from './connection.ts'
import { Puller, type PullEndpoints } from './puller.ts'
import { Http, type Outcome } from './http.ts'
import { ChangeSubscription } from './change-subscription.ts'
import type { Operation } from './operation.ts'
import { OutboxView } from './outbox-view.ts'
import { Outbox } from './outbox.ts'
import {
  StorageFullError,
  type ApiCall,
  type CallInput,
  type Message,
  type Ports,
  type ChangedIds,
} from './ports.ts'
import { PullScheduler, sameScope } from './pull-scheduler.ts'
import { Replay } from './replay.ts'
import { SendingView } from './sending-view.ts'
import { SessionManager } from './session.ts'
import type { StoredSession } from './session-store.ts'
import {
  refreshTokens,
  signIn,
  type Credentials,
  type SignInResult,
  type TokenCalls,
} from './token-client.ts'

/** A context that holds the replay lock longer than this is taken for frozen. Milliseconds. */
const REPLAY_LOCK_TIMEOUT_MS = 60_000

export interface EngineOptions {
  ports: Ports
  partitions: Partitions
  sources: PullEndpoints
  /** Asked when nothing was answered. Whatever the server answers, it is there. */
  probe: ApiCall
  /** Tells when the organisation has moved on. */
  events: ApiCall
  token: TokenCalls
  /** Puts what landed in the cache on the screens. */
  onChanged(scope: Scope, touched: ChangedIds): Promise<void>
  /** Runs `work` after that many milliseconds; returns what cancels it. */
  schedule: (wait: number, work: () => void) => () => void
}

export class Engine {
  readonly outbox: Outbox
  readonly session: SessionManager
  readonly http: Http
  readonly operations: OutboxView['operations']
  readonly sending: SendingView['ids']
  readonly #connection: Connection
  readonly connection: Connection['state']
  readonly lastSyncedAt: PullScheduler['lastSyncedAt']
  readonly pullScheduler: PullScheduler
  readonly subscription: ChangeSubscription

  readonly #options: EngineOptions
  readonly #ports: Ports
  readonly #replay: Replay
  readonly #puller: Puller
  #replaying = false
  #receiving: Promise<void> = Promise.resolve()
  readonly #outboxView: OutboxView

  constructor(options: EngineOptions) {
    const { ports } = options
    this.#options = options
    this.#ports = ports
    this.outbox = new Outbox(ports)
    this.#outboxView = new OutboxView(
      this.outbox,
      (removed) => this.#beforeRemoval(removed),
      () => this.#connection.scheduleRetry(),
    )
    this.operations = this.#outboxView.operations
    this.#connection = new Connection(
      (wait) => options.schedule(wait, () => this.wake()),
      () => ports.random.fraction(),
      () => {
        this.#startReplay()
        void this.pull()
        this.subscription.reconcile()
      },
    )
    this.connection = this.#connection.state
    this.session = new SessionManager(ports, async (token) => {
      const refreshed = await refreshTokens(ports, options.token, token)
      this.#connection.recordExchange(refreshed.result !== 'unreachable')
      return refreshed
    })
    this.http = new Http(ports, this.session, (answered) =>
      this.#connection.recordExchange(answered),
    )
    const sending = new SendingView(options.schedule, (ids) => {
      ports.channel.post({ type: 'sending', ids })
      void this.#outboxView.reload()
    })
    this.sending = sending.ids
    this.#replay = new Replay(ports, this.outbox, this.session, this.http, (ids) =>
      sending.update(ids),
    )
    this.#puller = new Puller(ports, this.http, this.outbox, options, async (cache, touched) => {
      await options.onChanged(cache.scope, touched)
      ports.channel.post({ type: 'cache', scope: cache.scope, touched })
      await this.pullScheduler.publishStatus()
    })
    this.pullScheduler = new PullScheduler(
      this.#puller,
      this.#connection,
      () => this.activeReplica(),
      () => this.#outboxView.reload(),
    )
    this.lastSyncedAt = this.pullScheduler.lastSyncedAt
    this.subscription = new ChangeSubscription({
      ports,
      http: this.http,
      events: options.events,
      schedule: options.schedule,
      activeReplica: () => this.activeReplica(),
      pull: () => this.pullScheduler.pullAgain(),
      isOnline: () => !this.#connection.offline,
    })
    this.session.subscribe(() => this.subscription.reconcile())
  }

  /** Begins with what the page remembers of the session, and goes to work. */
  async start(remembered: StoredSession): Promise<void> {
    this.#ports.channel.subscribe((message) => {
      // In turn, or an operation could leave the screen before its copy is on it. What fails is tried again.
      this.#receiving = this.#receiving
        .then(() => this.#receive(message))
        .catch(() => this.#connection.scheduleRetry())
    })
    this.#ports.store.onLost = () => void this.#outboxView.reload().then(() => this.wake())
    await this.session.start(remembered)
    await this.#outboxView.reload()
    this.wake()
  }

  /** Something may have changed outside: the network came, the app was opened, the clock moved on. */
  wake(): void {
    // Another context may have ended the session, and the word of it be lost.
    void this.session.reload().catch(() => undefined)
    void this.pullScheduler.publishStatus().catch(() => undefined)
    if (this.#outboxView.stale) void this.#outboxView.reload().then(() => this.#startReplay())
    if (!this.#ports.network.onlineHint()) return this.connection.set('offline')
    if (this.#connection.offline) return void this.http.call(this.#options.probe, {})
    this.#startReplay()
    void this.pull()
    this.subscription.reconcile()
  }

  /**
   * Keeps a queueable call; resolves when it is on the disk. Rejects with StorageFullError. `seen` is
   * the record that an edit changes, as its author saw it.
   */
  async enqueue(
    endpoint: string,
    input: CallInput,
    seen?: Record<string, unknown>,
  ): Promise<Operation> {
    const { session } = this.session.current()
    if (!session) throw new Error('Nobody is signed in.')
    const draft = {
      endpoint,
      input,
      seen,
      user_id: session.user.id,
      organisation_id: this.#ports.calls[endpoint]?.tenant
        ? (session.active_organisation?.id ?? null)
        : null,
    }
    const operation = await this.outbox.enqueue(draft).catch(async (error: unknown) => {
      if (!(error instanceof StorageFullError)) throw error
      await this.evictReplicas()
      return await this.outbox.enqueue(draft)
    })
    this.#outboxView.show(operation)
    this.#ports.channel.post({ type: 'operations' })
    this.#replay.outboxChanged()
    this.#startReplay()
    return operation
  }

  /** Somebody changed the outbox in this context. */
  async outboxChanged(): Promise<void> {
    this.#ports.channel.post({ type: 'operations' })
    this.#replay.outboxChanged()
    await this.#outboxView.reload()
    this.#startReplay()
  }

  /** A call that goes out at once or not at all, as the signed-in user. */
  async call(call: ApiCall, input: CallInput): Promise<Outcome> {
    const { session } = this.session.current()
    return await this.http.call(call, input, {
      caller: session
        ? { user_id: session.user.id, organisation_id: session.active_organisation?.id ?? null }
        : undefined,
    })
  }

  /** The cache of the active organisation; undefined when there is none. */
  activeReplica(): Replica | undefined {
    const { session } = this.session.current()
    const organisation_id = session?.active_organisation?.id
    if (!session || organisation_id === undefined) return undefined
    return this.replicaOf({ user_id: session.user.id, organisation_id })
  }

  /** Deletes the replicas of all users and organisations from the device; the server has their records. */
  evictReplicas(): Promise<void> {
    return evictReplicas(this.#ports.store)
  }

  replicaOf(scope: Scope): Replica {
    return new Replica(this.#ports.store, this.#options.partitions, scope)
  }

  /** Reads the active organisation to its end; shared by all who ask while it runs. */
  pull(): Promise<void> {
    return this.pullScheduler.pull()
  }

  #isActive(scope: Scope): boolean {
    return sameScope(this.activeReplica()?.scope, scope)
  }

  /** Exchanges credentials for a session, and goes to work. */
  async signIn(credentials: Credentials): Promise<SignInResult> {
    const { token } = this.#options
    const signedIn = await signIn(this.http, this.session, token, credentials)
    if (!signedIn.ok) return signedIn
    await this.#outboxView.reload()
    this.wake()
    return signedIn
  }

  /** Signs out because the user asked to; what waits is kept, sealed, or thrown away. */
  async signOut(unsent: 'keep' | 'discard'): Promise<void> {
    const { session } = this.session.current()
    if (!session) return
    if (unsent === 'discard') await this.outbox.discardAllOf(session.user.id)
    await this.session.signOut(session.user.id, false)
    await this.#outboxView.reload()
  }

  #startReplay(): void {
    if (!this.session.current().session) return
    if (this.#replaying) return this.#replay.outboxChanged()
    if (!this.#ports.network.onlineHint() || this.#connection.offline) return
    if (!this.operations.get().some((one) => one.state === 'pending')) return
    this.#replaying = true
    void this.#replay
      .run(REPLAY_LOCK_TIMEOUT_MS)
      .then(async (result) => {
        this.#replaying = false
        await this.#outboxView.reload()
        if (result && result.acknowledged > 0) {
          this.#connection.resetBackoff()
          this.#ports.channel.post({ type: 'operations' })
          // Brings back what was just acknowledged.
          void this.pullScheduler.pullAgain()
        }
        if (result?.unreachable) this.#connection.scheduleRetry()
        else if (result?.retryInMs !== undefined) this.#connection.scheduleRetry(result.retryInMs)
      })
      .catch(() => {
        this.#replaying = false
        this.#connection.scheduleRetry()
      })
  }

  async #receive(message: Message): Promise<void> {
    if (message.type === 'sending') this.sending.set(new Set(message.ids))
    if (message.type === 'cache') {
      await this.#options.onChanged(message.scope, message.touched)
      await this.pullScheduler.publishStatus()
    }
    if (message.type === 'session') await this.session.reload()
    if (message.type === 'sent') this.wake()
    await this.#outboxView.reload()
    if (message.type === 'operations') {
      this.#replay.outboxChanged()
      this.#startReplay()
    }
  }

  /**
   * Another context may have settled an operation, and its message about the copies be still on the
   * way: what the operation did is put on these screens before it leaves them.
   */
  async #beforeRemoval(removed: Operation): Promise<void> {
    const { user_id, organisation_id } = removed
    if (organisation_id === null) return
    const scope = { user_id, organisation_id }
    if (this.#isActive(scope)) await this.#options.onChanged(scope, this.#puller.changesOf(removed))
  }
}
