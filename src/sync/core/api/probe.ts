// Asks an unreachable server whether it is back. A browser shows another origin's error without CORS
// headers as no answer at all, so an expired token looks like a lost network there.
import type { Connection } from '../connection.ts'
import type { ApiCall, Ports } from '../ports.ts'
import type { SessionManager } from '../session.ts'
import type { Http } from './http.ts'

/** A refresh that was refused, or after which no call was accepted, is not repeated at once. */
const REFRESH_INTERVAL_MS = 10 * 60_000
/** Nor is another: a server that hides some answers may accept the tokens all the same. */
const MIN_REFRESH_INTERVAL_MS = 60_000

/** The probe of one context. */
export class Probe {
  readonly #ports: Pick<Ports, 'clock' | 'network'>
  readonly #http: Http
  readonly #session: SessionManager
  readonly #connection: Connection
  /**
   * The last refresh, by the access token that it was to replace, and whether there are new tokens now. Device clock,
   * epoch milliseconds.
   */
  #lastRefresh: { access_token: string; at: number; done: Promise<boolean> } | undefined

  constructor(
    ports: Pick<Ports, 'clock' | 'network'>,
    http: Http,
    session: SessionManager,
    connection: Connection,
  ) {
    this.#ports = ports
    this.#http = http
    this.#session = session
    this.#connection = connection
  }

  /**
   * Makes the call as the signed-in user. Without an answer, and where the server answers in a way that the
   * browser does not show, the tokens are refreshed. Rejects when storage fails.
   */
  async send(call: ApiCall): Promise<void> {
    const caller = this.#session.caller()
    // Of two probes at once the second may end when the first has replaced the token that both were sent with.
    const sentWith = this.#session.current().session?.access_token
    const outcome = await this.#http.call(call, {}, { caller })
    if (outcome.kind !== 'unreachable' || outcome.notUnderstood) return
    const isAnswering = caller !== undefined && (await this.#ports.network.answers(call.path))
    // It may be the health check alone that is answered by a page, or without CORS headers.
    const isOther = !call.identifies && (isAnswering || outcome.isForeign)
    if (isOther && (await this.#http.reachesServer())) return
    const isRefreshed = isAnswering && (await this.#refresh(caller.user_id, sentWith))
    if (!isRefreshed) this.#connection.recordUnreadable(isAnswering)
  }

  async #refresh(user_id: string, access_token: string | undefined): Promise<boolean> {
    if (access_token === undefined) return false
    const now = this.#ports.clock.now()
    const last = this.#lastRefresh
    const isSame = last?.access_token === access_token
    const hasHelped = !isSame && this.#http.acceptedToken === access_token
    const age = last ? now - last.at : Infinity
    if (last && age >= 0 && age < (hasHelped ? MIN_REFRESH_INTERVAL_MS : REFRESH_INTERVAL_MS))
      return isSame && (await last.done)
    const done = this.#session
      .refresh({ user_id, access_token, isJson: false })
      .then((result) => result === 'refreshed' || result === 'renewed')
    this.#lastRefresh = { access_token, at: now, done }
    return await done
  }
}
