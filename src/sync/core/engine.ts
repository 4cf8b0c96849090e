// The engine of one context: wires its parts together and decides when each runs. Pure but for its ports.
import { ChangeSubscription } from './change-subscription.ts'
import { Connection } from './connection.ts'
import { authorOf } from './api/author.ts'
import { Http } from './api/http.ts'
import { Probe } from './api/probe.ts'
import type { EngineState } from './observable.ts'
import type { Operation } from './operation.ts'
import { OutboxView } from './outbox-view.ts'
import { Outbox } from './outbox.ts'
import type { Outcome } from './api/outcome.ts'
import type { ApiCall, CallInput, ChangedIds, Message, Ports } from './ports.ts'
import { changesOf } from './pull/coverage.ts'
import type { PullEndpoints } from './pull/list-pull.ts'
import { PullScheduler } from './pull/pull-scheduler.ts'
import { Puller } from './pull/puller.ts'
import { Replica, type ChangedRecords, type Partitions, type Scope } from './replica.ts'
import { callNow } from './replay/current-record.ts'
import { endBackoff } from './replay/end-backoff.ts'
import { Replay } from './replay/replay.ts'
import { sendRevocations } from './replay/revocations.ts'
import type { StoredSession } from './session-store.ts'
import { SessionManager } from './session.ts'
import { StorageRoom } from './storage/room.ts'
import {
  refreshExchange,
  refreshTokens,
  revokeSession,
  signIn,
  type Credentials,
  type SignInResult,
  type TokenCalls,
} from './token-client.ts'

/** A context that holds the replay lock longer than this is considered frozen. */
const REPLAY_LOCK_TIMEOUT_MS = 60_000

export interface EngineOptions {
  ports: Ports
  /** What the engine publishes; nothing else writes to it. */
  state: EngineState
  partitions: Partitions
  sources: PullEndpoints
  /** Called while offline, where the server has it. */
  probe: ApiCall
  /** The event stream that announces new versions of the organisation. */
  events: ApiCall
  token: TokenCalls
  /**
   * Brings changes of a replica to the screens; awaited before operations are pruned. `records` are the
   * changed records where this context stored them, undefined where they must be read.
   */
  onChanged(scope: Scope, changed: ChangedIds, records?: ChangedRecords): Promise<void>
  /** Runs `work` after `delayMs` milliseconds; returns the function that cancels it. */
  schedule: (delayMs: number, work: () => void) => () => void
}

/** One context's engine. Methods reject when storage fails, unless their docstring says otherwise. */
export class Engine {
  readonly state: EngineState
  readonly outbox: Outbox
  readonly room: StorageRoom
  readonly session: SessionManager
  readonly http: Http
  readonly puller: Puller
  readonly pullScheduler: PullScheduler
  readonly subscription: ChangeSubscription
  readonly #options: EngineOptions
  readonly #connection: Connection
  readonly #probe: Probe
  readonly #replay: Replay
  readonly #outboxView: OutboxView
  #replaying = false
  #receiving: Promise<void> = Promise.resolve()

  constructor(options: EngineOptions) {
    const { ports, schedule, state } = options
    this.#options = options
    this.state = state
    this.room = new StorageRoom(options, () => this.activeReplica()?.scope)
    this.outbox = new Outbox(ports, this.room.makeRoomFor)
    this.#outboxView = new OutboxView({
      outbox: this.outbox,
      calls: ports.calls,
      operations: state.operations,
      aliases: state.aliases,
      sending: state.sending,
      beforeRemoval: (removed) => this.#beforeRemoval(removed),
      onFailure: () => this.#connection.scheduleRetry(),
      publishSending: (ids) => ports.channel.post({ type: 'sending', ids }),
      schedule,
    })
    this.#connection = new Connection({
      state: state.connection,
      schedule,
      retry: () => this.wake(),
      fraction: () => ports.random.fraction(),
      onReconnect: () => this.#resume(true),
    })
    const requestTokens = async (token: string) => {
      const refreshed = await refreshTokens(ports, options.token, token)
      this.#connection.recordExchange(refreshExchange(options.token.call, refreshed))
      return refreshed
    }
    this.session = new SessionManager(ports, requestTokens, this.room.makeRoomFor)
    this.http = new Http(ports, this.session, (one) => this.#connection.recordExchange(one))
    this.#probe = new Probe(ports, this.http, this.session, this.#connection)
    this.#replay = new Replay(ports, this.outbox, this.session, this.http, options, (ids) =>
      this.#outboxView.setSending(ids),
    )
    this.puller = new Puller({
      ...options,
      http: this.http,
      outbox: this.outbox,
      onStored: async (replica, { changed, records }) => {
        if (await this.#replay.acknowledgeStored(replica, changed)) await this.outboxChanged()
        await options.onChanged(replica.scope, changed, records)
        ports.channel.post({ type: 'cache', scope: replica.scope, touched: changed })
        await this.pullScheduler.publishStatus()
      },
    })
    this.pullScheduler = new PullScheduler({
      puller: this.puller,
      connection: this.#connection,
      state,
      fields: this.http.fields,
      activeReplica: () => this.activeReplica(),
      onPulled: () => this.#outboxView.reload(),
      now: () => ports.clock.now(),
    })
    this.subscription = new ChangeSubscription({
      ports,
      http: this.http,
      events: options.events,
      schedule,
      activeReplica: () => this.activeReplica(),
      scheduler: this.pullScheduler,
      isOnline: () => !this.#connection.offline,
    })
    this.session.subscribe(() => this.subscription.reconcile())
    this.session.subscribe(() => void sendRevocations(ports, this.http, options.token))
  }

  /** Reconciles the page's session with the stored one; when the outbox is `ready` to be read, sends and pulls. */
  async start(local: StoredSession, ready?: Promise<unknown>): Promise<void> {
    this.#options.ports.channel.subscribe((message) => {
      // At once: until then a call of this context would use up the token before the new ones again.
      const reloaded = message.type === 'session' && this.session.reload(message.tokens)
      // One after the other, or an operation could leave the screens before its record is on them.
      this.#receiving = Promise.all([reloaded, this.#receiving])
        .then(() => this.#receive(message))
        .catch(() => this.#connection.scheduleRetry())
    })
    this.#options.ports.store.onLost = () => void this.#outboxView.reload().then(() => this.wake())
    await Promise.all([this.session.start(local), this.http.capabilities.load(), ready])
    await this.#outboxView.reload()
    this.wake()
  }

  /** To be called when the network may be back: on events of the browser, and by a timer. */
  wake(): void {
    // Another context may have changed these, and been killed before its message left.
    void this.session.reload().catch(() => undefined)
    void this.#outboxView.reload().then(() => this.#startReplay())
    void this.pullScheduler.publishStatus().catch(() => undefined)
    if (!this.#options.ports.network.onlineHint()) return this.state.connection.set('offline')
    if (!this.#connection.offline) return this.#resume()
    const { probe, token } = this.#options
    // Any response of the server ends the offline state.
    const call = this.http.capabilities.has('health') ? probe : token.userinfo
    void this.#probe.send(call).catch(() => this.#connection.scheduleRetry())
  }

  #resume(isReconnected = false): void {
    this.#startReplay()
    void this.pullScheduler.pullIfDue(isReconnected)
    this.subscription.reconcile()
  }

  /**
   * Enqueues a call; resolves when it is durable. `seen`, `draft` and `delayMs`: see NewOperation. Rejects
   * with StorageFullError when there is no room even without replicas, and for the draft of another organisation.
   */
  async enqueue(
    endpoint: string,
    input: CallInput,
    seen?: Record<string, unknown>,
    draft?: string[],
    delayMs?: number,
  ): Promise<Operation> {
    const { calls, channel } = this.#options.ports
    const author = authorOf(this.session.caller(), calls[endpoint]?.tenant, draft)
    const one = { ...author, endpoint, input, seen, draft, delayMs }
    const operation = await this.outbox.enqueue(one)
    this.#outboxView.show(operation)
    channel.post({ type: 'operations' })
    this.#startReplay()
    return operation
  }

  /** To be called after a change of the outbox in this context. */
  async outboxChanged(): Promise<void> {
    this.#options.ports.channel.post({ type: 'operations' })
    this.#replay.outboxChanged()
    await this.#outboxView.reload()
    this.#startReplay()
  }

  /** Sends now; resolves to the time until which the server asked to wait. `endsUndo`: see `endBackoff`. */
  async sendNow(endsUndo: boolean): Promise<number | undefined> {
    const user_id = this.session.caller()?.user_id
    const until = await endBackoff(this.#options.ports, this.outbox, user_id, endsUndo)
    await this.outboxChanged()
    this.wake()
    return until
  }

  /** Makes a call now, as the signed-in user. Never rejects: the outcome tells what failed. */
  async call(call: ApiCall, input: CallInput): Promise<Outcome> {
    return await callNow(this.http, this.#options.ports, call, input, this.session.caller())
  }

  /** The replica of the active organisation; undefined without one. */
  activeReplica(): Replica | undefined {
    const caller = this.session.caller()
    if (!caller || caller.organisation_id === null) return undefined
    return this.replicaOf({ user_id: caller.user_id, organisation_id: caller.organisation_id })
  }

  /** The replica of any scope. Reads nothing yet. */
  replicaOf(scope: Scope): Replica {
    return new Replica(this.#options.ports.store, this.#options.partitions, scope)
  }

  /** Exchanges credentials for a session, then starts to send and to pull. */
  async signIn(credentials: Credentials): Promise<SignInResult> {
    const signedIn = await signIn(this.http, this.session, this.#options.token, credentials)
    if (signedIn.ok) await this.#outboxView.reload().then(() => this.wake())
    return signedIn
  }

  /** Signs the user out. Unsent operations are discarded, or kept sealed until that user signs in again. */
  async signOut(unsent: 'keep' | 'discard'): Promise<void> {
    const { session } = this.session.current()
    if (!session) return
    const ended = await this.session.signOut(session.user.id, false, { unsent })
    if (ended === 0) void revokeSession(this.http, this.#options.token, session.refresh_token)
    await this.#outboxView.reload()
  }

  #startReplay(): void {
    if (!this.session.caller()) return
    if (this.#replaying) return this.#replay.outboxChanged()
    if (!this.#options.ports.network.onlineHint() || this.#connection.offline) return
    if (!this.state.operations.get().some((one) => one.state === 'pending')) return
    this.#replaying = true
    void this.#replay
      // A context that is gone may have left some of its own.
      .run(REPLAY_LOCK_TIMEOUT_MS, true, () => this.#outboxView.setSending([]))
      .then(async (result) => {
        this.#replaying = false
        await this.#outboxView.reload()
        if (result && result.acknowledged > 0) {
          this.#connection.resetBackoff()
          this.#options.ports.channel.post({ type: 'operations' })
          void this.pullScheduler.pullAgain('sent')
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
    if (message.type === 'sending') this.state.sending.set(new Set(message.ids))
    if (message.type === 'cache') {
      await this.#options.onChanged(message.scope, message.touched)
      await this.pullScheduler.publishStatus()
    }
    // A pull that is under way may have been asked for before.
    if (message.type === 'sent') void this.pullScheduler.pullAgain('sent')
    if (message.type === 'sent') this.wake()
    await this.#outboxView.reload()
    if (message.type === 'operations') {
      this.#replay.outboxChanged()
      this.#startReplay()
    }
  }

  /** Brings its records to the screens first: the message of the context that pruned it may still be on its way. */
  async #beforeRemoval(removed: Operation): Promise<void> {
    const { scope } = this.activeReplica() ?? {}
    if (scope?.user_id === removed.user_id && scope.organisation_id === removed.organisation_id)
      await this.#options.onChanged(scope, changesOf(removed, this.#options))
  }
}
