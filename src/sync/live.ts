// News as it happens: one context of the device listens to the server while somebody looks at it, and
// reads what is new as soon as the organisation has moved on. Where a server knows no events, or has
// gone silent, the looking now and then goes on as without.
import type { Cache, Scope } from './cache.ts'
import type { ServerEvent } from './event-stream.ts'
import type { Http } from './http.ts'
import type { Call, Ports } from './ports.ts'
import { sameScope } from './reading.ts'
import { backoff } from './replay.ts'

const LOCK = 'cairn-live'
/** After this a context that waits for its turn asks itself whether it still wants one. Milliseconds. */
const PATIENCE = 60_000
/** Between hearing and reading, in milliseconds: the answer to one's own call may bring the news itself. */
const BREATH = 300

interface Wiring {
  ports: Ports
  http: Http
  events: Call
  later: (wait: number, work: () => void) => () => void
  /** The cache of the active organisation. */
  active: () => Cache | undefined
  /** Reads it to its end, beginning from now on. */
  pull: () => Promise<void>
  /** Whether the server is there, as far as is known. */
  reachable: () => boolean
}

export class Live {
  readonly #wiring: Wiring
  #wanted = false
  /** The server knows no events. */
  #absent = false
  #listening: { scope: Scope; stop: AbortController } | undefined
  #waiting = false
  #fails = 0
  #reading = false
  /** What was heard last, and not yet compared with the device. */
  #news: { version: number; first: boolean } | undefined

  constructor(wiring: Wiring) {
    this.#wiring = wiring
  }

  /** Whether this context hears the server now, so that nothing has to be looked for. */
  hears = false

  /** Somebody looks at this context, or nobody does any more. */
  watch(wanted: boolean): void {
    this.#wanted = wanted
    this.changed()
  }

  /** What is to be listened to may have changed, or the server be back. */
  changed(): void {
    const scope = this.#scope()
    const listening = this.#listening
    if (listening && !sameScope(scope, listening.scope)) listening.stop.abort()
    if (scope && !this.#waiting && !this.#absent && this.#wiring.reachable()) void this.#turn(scope)
  }

  #scope(): Scope | undefined {
    return this.#wanted ? this.#wiring.active()?.scope : undefined
  }

  /** Waits for the turn of this context, and listens for as long as it is wanted. */
  async #turn(scope: Scope): Promise<void> {
    const { ports, later } = this.#wiring
    this.#waiting = true
    const held = await ports.locks
      .hold(LOCK, { patience: PATIENCE }, () => this.#listen(scope))
      .catch(() => undefined)
    this.#waiting = false
    // Another has the turn, or what is wanted has changed meanwhile: ask anew.
    if (!held || held.value === 'stopped') return this.changed()
    this.#fails += 1
    later(backoff(this.#fails, ports.random.fraction()), () => this.changed())
  }

  async #listen(scope: Scope): Promise<'stopped' | 'ended'> {
    if (!sameScope(this.#scope(), scope)) return 'stopped'
    const stop = new AbortController()
    this.#listening = { scope, stop }
    let first = true
    const hear = (event: ServerEvent) => {
      this.hears = true
      // One that ends right after its first word is no success.
      if (!first) this.#fails = 0
      const version = versionIn(event)
      if (version === undefined || stop.signal.aborted) return
      this.#news = { version, first }
      first = false
      this.#heed()
    }
    const { http, events } = this.#wiring
    const outcome = await http.listen(events, scope, hear, stop.signal)
    this.hears = false
    this.#listening = undefined
    if (outcome.kind === 'refused' && outcome.error.status === 404) this.#absent = true
    return stop.signal.aborted ? 'stopped' : 'ended'
  }

  /** Reads what is new, once for all that was heard in a breath. */
  #heed(): void {
    if (this.#reading) return
    this.#reading = true
    this.#wiring.later(BREATH, () => {
      void this.#catchUp()
        .catch(() => undefined)
        .finally(() => {
          this.#reading = false
          if (this.#news) this.#heed()
        })
    })
  }

  async #catchUp(): Promise<void> {
    const news = this.#news
    const cache = this.#wiring.active()
    this.#news = undefined
    if (!news || !cache) return
    const { since, listed = since } = await cache.progress()
    // At first a lower one says that the server has moved to another database.
    if (news.first ? news.version !== listed : news.version > listed) await this.#wiring.pull()
  }
}

function versionIn({ type, data }: ServerEvent): number | undefined {
  if (type !== 'version') return undefined
  try {
    const { version } = JSON.parse(data) as { version?: unknown }
    return typeof version === 'number' ? version : undefined
  } catch {
    return undefined
  }
}
