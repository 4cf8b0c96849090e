// One visible context of the device subscribes to the server's events. When the organisation's version advances
// it stores the changes that the event has, or pulls. Without events, or while the stream is broken, the page polls.
import { sameScope, type Replica, type Scope } from './replica.ts'
import type { Http } from './api/http.ts'
import type { ApiCall, CancelSignal, Ports, ServerEvent } from './ports.ts'
import { backoff } from './connection.ts'
import type { VersionEvent } from './pull/event-changes.ts'
import { absentStatus } from './pull/list-pull.ts'
import type { PullScheduler } from './pull/pull-scheduler.ts'

const SUBSCRIPTION_LOCK = 'cairn-live'
/** A waiting context checks this often whether it still wants to subscribe. */
const LOCK_TIMEOUT_MS = 60_000
/**
 * Between an event and the pull: the change may be one of this device, which is pulled after its
 * replay.
 */
const DEBOUNCE_MS = 300

interface SubscriptionOptions {
  ports: Ports
  http: Http
  events: ApiCall
  /** Runs `work` after `delayMs` milliseconds; returns the function that cancels it. */
  schedule: (delayMs: number, work: () => void) => () => void
  /** The replica of the active organisation; undefined without one. */
  activeReplica: () => Replica | undefined
  scheduler: Pick<PullScheduler, 'applyEvent' | 'pullAgain'>
  /** Whether the last exchange reached the server. */
  isOnline: () => boolean
}

/** Ends one stream. Used instead of AbortController, which is not part of ECMAScript. */
export class Cancellation implements CancelSignal {
  readonly #listeners: (() => void)[] = []
  #cancelled = false

  get cancelled(): boolean {
    return this.#cancelled
  }

  cancel(): void {
    if (this.#cancelled) return
    this.#cancelled = true
    for (const listener of this.#listeners) listener()
  }

  onCancel(listener: () => void): void {
    if (this.#cancelled) listener()
    else this.#listeners.push(listener)
  }
}

/**
 * Subscribes to changes of the active organisation while this context is visible and holds the lock.
 */
export class ChangeSubscription {
  readonly #options: SubscriptionOptions
  #visible = false
  /** Where the server has no event stream, or none for this user; see `#placeOf`. */
  readonly #unsupported = new Set<string>()
  #stream: { scope: Scope; cancellation: Cancellation } | undefined
  #waiting = false
  #failures = 0
  #catchingUp = false
  /** The last announced version that is not yet compared with the replica; `first` of its stream. */
  #pending: { version: number; first: boolean } | undefined
  /** The handling of the events so far: they are handled one after the other. */
  #received: Promise<void> = Promise.resolve()

  constructor(options: SubscriptionOptions) {
    this.#options = options
  }

  /** Whether this context receives events now, so that it need not poll. */
  connected = false

  /** To be called when the page becomes visible or hidden. */
  setVisible(visible: boolean): void {
    this.#visible = visible
    this.reconcile()
  }

  /** Opens, replaces or ends the stream after a change of visibility, organisation or connection. */
  reconcile(): void {
    const scope = this.#scope()
    const current = this.#stream
    if (current && !sameScope(scope, current.scope)) current.cancellation.cancel()
    if (!scope || this.#unsupported.has(this.#placeOf(scope))) return
    if (!this.#waiting && this.#options.isOnline()) void this.#waitForLock(scope)
  }

  /** The organisation, and what the server announces: it may announce events later. */
  #placeOf({ organisation_id }: Scope): string {
    return `${organisation_id} ${this.#options.http.capabilities.names}`
  }

  #scope(): Scope | undefined {
    return this.#visible ? this.#options.activeReplica()?.scope : undefined
  }

  /** Waits for the lock and holds it while the stream is open. */
  async #waitForLock(scope: Scope): Promise<void> {
    const { ports, schedule } = this.#options
    this.#waiting = true
    const locked = await ports.locks
      .withLock(SUBSCRIPTION_LOCK, { timeoutMs: LOCK_TIMEOUT_MS }, () => this.#openStream(scope))
      // The browser refused the lock, or storage failed: like a stream that ended.
      .catch(() => ({ value: 0 }))
    this.#waiting = false
    // Another context holds the lock, or the wanted stream has changed.
    if (!locked || locked.value === 'stopped') return this.reconcile()
    this.#failures += 1
    const delayMs = backoff(this.#failures, ports.random.fraction())
    schedule(Math.max(delayMs, locked.value), () => this.reconcile())
  }

  /** Resolves when the stream has ended, to the milliseconds that the server wants it to wait. */
  async #openStream(scope: Scope): Promise<'stopped' | number> {
    if (!sameScope(this.#scope(), scope)) return 'stopped'
    const cancellation = new Cancellation()
    this.#stream = { scope, cancellation }
    let first = true
    const receive = (event: ServerEvent) => {
      this.connected = true
      // A stream that ends right after its first event counts as a failure.
      if (!first) this.#failures = 0
      const read = readEvent(event)
      if (!read || cancellation.cancelled) return
      const isFirst = first
      first = false
      this.#received = this.#received.then(() => this.#take(read, scope, isFirst))
    }
    const { http, events } = this.#options
    const outcome = await http.stream(events, scope, receive, cancellation)
    this.connected = false
    this.#stream = undefined
    if (absentStatus(outcome) !== undefined) this.#unsupported.add(this.#placeOf(scope))
    if (cancellation.cancelled) return 'stopped'
    return outcome.kind === 'busy' ? (outcome.retryAfterMs ?? 0) : 0
  }

  /** Stores the changes of an event, or notes that its version has to be pulled. */
  async #take(event: VersionEvent, scope: Scope, first: boolean): Promise<void> {
    const replica = this.#options.activeReplica()
    const isOfReplica =
      event.organisation_id === scope.organisation_id && sameScope(replica?.scope, scope)
    if (replica && isOfReplica) {
      const applied = this.#options.scheduler.applyEvent(replica, event)
      if (await applied.catch(() => false)) return
    }
    // Compared now, before later events advance the replica.
    if (first && event.version === (await this.#replicaVersion().catch(() => undefined))) return
    // Only the first event of a stream can show that the server's version went down.
    this.#pending = { version: event.version, first: first || this.#pending?.first === true }
    this.#scheduleCatchUp()
  }

  /** Schedules one pull for all events of a short time. */
  #scheduleCatchUp(): void {
    if (this.#catchingUp) return
    this.#catchingUp = true
    this.#options.schedule(DEBOUNCE_MS, () => {
      void this.#catchUp()
        .catch(() => undefined)
        .finally(() => {
          this.#catchingUp = false
          if (this.#pending) this.#scheduleCatchUp()
        })
    })
  }

  async #catchUp(): Promise<void> {
    const pending = this.#pending
    this.#pending = undefined
    const isNeeded = async () => {
      const version = await this.#replicaVersion()
      if (!pending || version === undefined) return false
      // A lower version at the start of a stream means that the server's database was replaced.
      return pending.first ? pending.version !== version : pending.version > version
    }
    if (await isNeeded()) await this.#options.scheduler.pullAgain('all', isNeeded)
  }

  /** The version of the active organisation's replica; undefined without one. */
  async #replicaVersion(): Promise<number | undefined> {
    const cursor = await this.#options.activeReplica()?.cursor()
    return cursor && (cursor.listed ?? cursor.since)
  }
}

/** What an event announces; undefined for other events. */
function readEvent({ type, data }: ServerEvent): VersionEvent | undefined {
  if (type !== 'version') return undefined
  try {
    const event = JSON.parse(data) as Partial<VersionEvent> | null
    return typeof event?.version === 'number' ? (event as VersionEvent) : undefined
  } catch {
    return undefined
  }
}
