// News as it happens: one context of the device listens to the server while somebody looks at it, and
// reads what is new as soon as the organisation has moved on. Where a server knows no events, or has
// gone silent, the looking now and then goes on as without.
import { sameScope, type Replica, type Scope } from './replica.ts'
import type { Http } from './http.ts'
import { Cancellation, type ApiCall, type Ports, type ServerEvent } from './ports.ts'
import { backoff } from './connection.ts'

const SUBSCRIPTION_LOCK = 'cairn-live'
/** After this a context that waits for its turn asks itself whether it still wants one. Milliseconds. */
const LOCK_TIMEOUT_MS = 60_000
/** Between hearing and reading, in milliseconds: the answer to one's own call may bring the news itself. */
const DEBOUNCE_MS = 300

interface SubscriptionOptions {
  ports: Ports
  http: Http
  events: ApiCall
  schedule: (wait: number, work: () => void) => () => void
  /** The cache of the active organisation. */
  activeReplica: () => Replica | undefined
  /** Reads it to its end, beginning from now on. */
  pull: () => Promise<void>
  /** Whether the server is there, as far as is known. */
  isOnline: () => boolean
}

export class ChangeSubscription {
  readonly #options: SubscriptionOptions
  #visible = false
  /** The server knows no events. */
  #unsupported = false
  #stream: { scope: Scope; cancellation: Cancellation } | undefined
  #waiting = false
  #failures = 0
  #catchingUp = false
  /** What was heard last, and not yet compared with the device. */
  #pending: { version: number; first: boolean } | undefined

  constructor(options: SubscriptionOptions) {
    this.#options = options
  }

  /** Whether this context hears the server now, so that nothing has to be looked for. */
  connected = false

  /** Somebody looks at this context, or nobody does any more. */
  setVisible(visible: boolean): void {
    this.#visible = visible
    this.reconcile()
  }

  /** What is to be listened to may have changed, or the server be back. */
  reconcile(): void {
    const scope = this.#scope()
    const current = this.#stream
    if (current && !sameScope(scope, current.scope)) current.cancellation.cancel()
    if (scope && !this.#waiting && !this.#unsupported && this.#options.isOnline())
      void this.#waitForLock(scope)
  }

  #scope(): Scope | undefined {
    return this.#visible ? this.#options.activeReplica()?.scope : undefined
  }

  /** Waits for the turn of this context, and listens for as long as it is wanted. */
  async #waitForLock(scope: Scope): Promise<void> {
    const { ports, schedule: later } = this.#options
    this.#waiting = true
    const locked = await ports.locks
      .withLock(SUBSCRIPTION_LOCK, { timeoutMs: LOCK_TIMEOUT_MS }, () => this.#openStream(scope))
      .catch(() => undefined)
    this.#waiting = false
    // Another has the turn, or what is wanted has changed meanwhile: ask anew.
    if (!locked || locked.value === 'stopped') return this.reconcile()
    this.#failures += 1
    later(backoff(this.#failures, ports.random.fraction()), () => this.reconcile())
  }

  async #openStream(scope: Scope): Promise<'stopped' | 'ended'> {
    if (!sameScope(this.#scope(), scope)) return 'stopped'
    const cancellation = new Cancellation()
    this.#stream = { scope, cancellation }
    let first = true
    const receive = (event: ServerEvent) => {
      this.connected = true
      // One that ends right after its first word is no success.
      if (!first) this.#failures = 0
      const version = parseVersion(event)
      if (version === undefined || cancellation.cancelled) return
      this.#pending = { version, first }
      first = false
      this.#scheduleCatchUp()
    }
    const { http, events } = this.#options
    const outcome = await http.stream(events, scope, receive, cancellation)
    this.connected = false
    this.#stream = undefined
    if (outcome.kind === 'refused' && outcome.error.status === 404) this.#unsupported = true
    return cancellation.cancelled ? 'stopped' : 'ended'
  }

  /** Reads what is new, once for all that was heard in a breath. */
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
    const replica = this.#options.activeReplica()
    this.#pending = undefined
    if (!pending || !replica) return
    const { since, listed = since } = await replica.cursor()
    // At first a lower one says that the server has moved to another database.
    if (pending.first ? pending.version !== listed : pending.version > listed)
      await this.#options.pull()
  }
}

function parseVersion({ type, data }: ServerEvent): number | undefined {
  if (type !== 'version') return undefined
  try {
    const { version } = JSON.parse(data) as { version?: unknown }
    return typeof version === 'number' ? version : undefined
  } catch {
    return undefined
  }
}
