// When the lists are read instead of `changes`. A gateway may deny it in any way, or answer it with errors
// only, while the lists of the same server can be read.
import type { Http } from '../api/http.ts'
import type { Outcome } from '../api/outcome.ts'
import type { ApiCall } from '../ports.ts'
import { Cancellation } from '../change-subscription.ts'
import type { Caller } from '../session.ts'
import type { ChangesPage } from './event-changes.ts'
import { absentStatus } from './list-pull.ts'
import type { PageStream } from './page-stream.ts'

/** After as many failures in a row a first download reads the lists: one or two may be lost connections. */
const MAX_FAILURES = 3

/** What this context knows of a server's `changes`. */
export class ChangesFeed {
  readonly #http: Http
  readonly #call: ApiCall
  #isDenied = false
  /** Failures in a row, each while the server answered another call. */
  #failures = 0

  constructor(http: Http, call: ApiCall) {
    this.#http = http
    this.#call = call
  }

  /** Whether the lists are read until the app starts again. */
  get isDenied(): boolean {
    return this.#isDenied
  }

  /** Whether the server has no `changes`, or none that works now. */
  get isAbsent(): boolean {
    const isFailing = this.#failures >= MAX_FAILURES
    return this.#isDenied || isFailing || !this.#http.capabilities.allows(this.#call)
  }

  /** To be called when the lists were read after `denied`. */
  setDenied(): void {
    // An absent capability may be announced again.
    if (!this.isAbsent) this.#isDenied = true
  }

  /**
   * Reads pages of `changes` as `caller`, until `end`. Those that were asked for ahead come while others are stored:
   * in one stream where the server has it, and one by one.
   */
  pages(caller: Caller) {
    const request = (since: number) => this.#http.call(this.#call, { query: { since } }, { caller })
    let ahead = new Map<number, Promise<Outcome>>()
    let stream: Promise<PageStream | undefined> | undefined
    const openStream = (since: number) =>
      import('./page-stream.ts').then(
        (part) => new part.PageStream(this.#http, this.#call, caller, since, new Cancellation()),
        () => undefined,
      )
    return {
      read: (since: number): Promise<Outcome> =>
        stream
          ? stream.then((opened) => opened?.read(since) ?? request(since))
          : (ahead.get(since) ?? request(since)),
      /**
       * Requests the pages that `page` announces. A record that changes meanwhile moves to a later page, so its page
       * then ends at another version than announced, and the pages requested after it are not used.
       */
      readAhead: ({ version, next = [] }: ChangesPage): void => {
        if (next[0] && this.#http.capabilities.has('changes-stream')) stream ??= openStream(version)
        if (stream) return
        const pages = [version, ...next].map(
          (since) => [since, ahead.get(since) ?? request(since)] as const,
        )
        ahead = new Map(pages)
        // The reader of a page handles its rejection; that of a page which is never read must not be unhandled.
        for (const [, outcome] of pages) outcome.catch(() => undefined)
      },
      end: () => void stream?.then((opened) => opened?.cancel()),
    }
  }

  /**
   * Whether the lists are read after this outcome of a call of `changes` after version `since`: `denied` once and
   * for all, `failing` now. `isFirst`: the device has nothing yet.
   */
  async classify(
    outcome: Outcome,
    since: number,
    isFirst: boolean,
  ): Promise<'denied' | 'failing' | undefined> {
    const { kind } = outcome
    if (kind === 'answered') {
      const { more, version } = outcome.value as { more: boolean; version: number }
      // More that begins where this page began would be asked for without end.
      const isEndless = more && version <= since
      if (isEndless) this.#http.onExchange({ call: this.#call, result: 'not-understood' })
      this.#failures = isEndless ? MAX_FAILURES : 0
      return isEndless ? 'failing' : undefined
    }
    if (kind === 'signed-out') return undefined
    if (kind === 'refused' || absentStatus(outcome) !== undefined) return 'denied'
    if (!isFirst) return undefined
    // An error without CORS headers looks like no answer, and the lists will show.
    if (kind === 'unreachable' && this.#http.capabilities.isOnlyConfigured) return 'denied'
    // With Retry-After the server itself says that it is busy.
    if (kind === 'busy' && outcome.retryAfterMs !== undefined) return undefined
    if (!(await this.#http.reachesServer())) return undefined
    this.#failures += 1
    return this.#failures >= MAX_FAILURES ? 'failing' : undefined
  }
}
