// Calls of the API, classified by outcome. Network failures are outcomes, not exceptions.
import { APP_VERSION_HEADER } from '../../../../contract/capabilities.ts'
import { ServerFields } from '../arrival/server-fields.ts'
import { knowsAddress } from './address.ts'
import { Capabilities } from './capabilities.ts'
import { requestUrl } from './request-url.ts'
import { resultOf, type Exchange } from '../connection.ts'
import {
  classify,
  confirmOutcome,
  isJsonBody,
  isUnauthenticated,
  NOT_UNDERSTOOD,
  parseRaw,
  UNREACHABLE,
  type Outcome,
} from './outcome.ts'
import type {
  ApiCall,
  CallInput,
  CancelSignal,
  NetworkResponse,
  NetworkRequest,
  Ports,
  ServerEvent,
} from '../ports.ts'
import type { Caller, SessionManager } from '../session.ts'
import type { Session } from '../session-store.ts'

const REQUEST_TIMEOUT_MS = 20_000
const FRESH_MS = 60_000
/** Servers send a heartbeat more often than this. */
const STREAM_IDLE_TIMEOUT_MS = 60_000
const EVENT_STREAM_HEADERS = { Accept: 'text/event-stream' }

export interface CallOptions {
  /** Undefined for anonymous calls. */
  caller?: Caller | undefined
  idempotency_key?: string | undefined
  /** See NetworkRequest. */
  notedAt?: number | undefined
  /** Further headers, for example `If-Match`. */
  headers?: Record<string, string>
  /** The outcome gets the body as the server wrote it, too. */
  withRaw?: boolean
  /** Without `X-organisation`, though an organisation is active. */
  withoutOrganisation?: boolean
  /** Asked before the call is repeated with new tokens: its author may have discarded it meanwhile. */
  isWanted?: () => Promise<boolean>
}

/** In place of an answer: the server does not have the call. */
const ABSENT: Outcome = { kind: 'refused', error: { status: 501, message: '' } }

/** Makes the calls of one context with the tokens of its session. Never rejects for a network failure. */
export class Http {
  readonly #ports: Ports
  readonly #session: SessionManager
  readonly onExchange: (exchange: Exchange) => void
  /** The access token that the last 2xx response was sent with. */
  acceptedToken: string | undefined
  /** The last fresh token that was refused, and when. Until FRESH_MS later no call refreshes it. */
  #refused = { access_token: '', at: -Infinity }
  /** Calls that answered 401 to tokens that other calls accepted. */
  readonly #denied = new Set<ApiCall>()
  readonly capabilities: Capabilities
  readonly fields: ServerFields

  /** `onExchange` is called after every exchange. */
  constructor(ports: Ports, session: SessionManager, onExchange: (exchange: Exchange) => void) {
    this.#ports = ports
    this.#session = session
    this.onExchange = onExchange
    this.capabilities = new Capabilities(ports, () => session.caller()?.user_id)
    this.fields = new ServerFields(ports, this.capabilities)
  }

  /**
   * Makes one call. After a 401 the tokens are refreshed once, shared by all contexts, and the call is
   * repeated once (specification, section 4). It is sent with the tokens of `caller` or not at all. A
   * call of a capability that the server does not have is not made.
   */
  async call(call: ApiCall, input: CallInput, options: CallOptions = {}): Promise<Outcome> {
    const { caller } = options
    const denied = await this.#deny(call)
    if (denied) return denied
    if (call.anonymous || !caller) return await this.#send(call, input, options, undefined)
    const send = (session: Session) => this.#send(call, input, options, session)
    const outcome = await this.#withRefresh(call, caller, send, options.isWanted)
    if (!call.identifies || outcome.kind !== 'refused') return outcome
    if (![400, 403, 404].includes(outcome.error.status)) return outcome
    return await this.#withoutOrganisation(call, input, caller, outcome)
  }

  /** Whether the server's capabilities are known, with `isFresh` from a recent answer. May make a request. */
  async knowsServer(isFresh: boolean): Promise<boolean> {
    if (!this.capabilities.isKnown(isFresh)) await this.reachesServer()
    return this.capabilities.isKnown(isFresh)
  }

  /** Whether the server answers a read of the signed-in user now. */
  async reachesServer(): Promise<boolean> {
    const caller = this.#session.caller()
    const call = Object.values(this.#ports.calls).find(({ identifies }) => identifies)
    if (!call || !caller) return false
    const { kind } = await this.call(call, {}, { caller })
    return kind !== 'unreachable' && kind !== 'signed-out'
  }

  /** The outcome of a call that must not be made, before its tokens are chosen; undefined for others. */
  async #deny(call: ApiCall): Promise<Outcome | undefined> {
    if (!(await knowsAddress(this.#ports))) return this.#unreachable(call)
    if (call.capability !== undefined) await this.capabilities.loaded()
    return this.capabilities.allows(call) ? undefined : ABSENT
  }

  #unreachable(call: ApiCall): Outcome {
    this.onExchange({ call, result: 'unreachable' })
    return UNREACHABLE
  }

  /** Whether it is the active organisation that the server refuses: then it is cleared. */
  async #withoutOrganisation(
    call: ApiCall,
    input: CallInput,
    caller: Caller,
    rejected: Outcome,
  ): Promise<Outcome> {
    const active = this.#sessionOf(caller)?.active_organisation
    if (!active) return rejected
    const options = { caller, withoutOrganisation: true }
    const send = (session: Session) => this.#send(call, input, options, session)
    const outcome = await this.#withRefresh(call, caller, send)
    if (outcome.kind !== 'answered') return rejected
    if (this.#sessionOf(caller)?.active_organisation?.id === active.id)
      await this.#session.update(caller.user_id, { active_organisation: null })
    return outcome
  }

  /**
   * Reads the events of a call until the stream ends, is cancelled or is silent for a minute; the
   * server sends heartbeats. Resolves to `answered` then, with no value.
   */
  async stream(
    call: ApiCall,
    caller: Caller,
    onEvent: (event: ServerEvent) => void | Promise<void>,
    signal: CancelSignal,
    input: CallInput = {},
  ): Promise<Outcome> {
    const denied = await this.#deny(call)
    if (denied) return denied
    return await this.#withRefresh(call, caller, async (session) => {
      const request = this.#request(call, input, { caller, headers: EVENT_STREAM_HEADERS }, session)
      const receive = (event: ServerEvent) => {
        this.#session.noteAnswer()
        this.onExchange({ call, result: 'answered' })
        return onEvent(event)
      }
      const response = await this.#ports.network
        .stream({ ...request, timeoutMs: STREAM_IDLE_TIMEOUT_MS }, receive, signal)
        .catch(() => undefined)
      const type = response?.header('content-type')
      if (signal.cancelled || type?.startsWith(EVENT_STREAM_HEADERS.Accept))
        return { kind: 'answered', value: undefined }
      // Where only the configuration names the call, no answer may be an error without CORS headers.
      if (!response)
        return this.capabilities.isOnlyConfigured ? UNREACHABLE : this.#unreachable(call)
      const outcome = await this.#confirm(call, response, undefined, session)
      this.onExchange({ call, result: 'answered' })
      return outcome
    })
  }

  async #withRefresh(
    call: ApiCall,
    caller: Caller,
    attempt: (session: Session) => Promise<Outcome>,
    isWanted?: CallOptions['isWanted'],
  ): Promise<Outcome> {
    const session = this.#sessionOf(caller)
    if (!session) return { kind: 'signed-out' }
    const first = await attempt(session)
    if (!isUnauthenticated(first)) return first
    const isFresh =
      this.#refused.access_token === session.access_token &&
      Math.abs(this.#ports.clock.now() - this.#refused.at) < FRESH_MS
    // Where others accept the token, it is this call that is denied, or the token has ended since.
    const isAccepted = this.acceptedToken === session.access_token
    if (isAccepted ? this.#denied.has(call) : isFresh)
      return { kind: 'busy', error: first.error, isDenied: isAccepted }
    const refreshResult = await this.#session.refresh({
      user_id: caller.user_id,
      access_token: session.access_token,
      // Only the 401 to a call of the specification confirms a doubtful refusal.
      isJson: first.isJson === true && call.capability === undefined,
    })
    if (refreshResult === 'unreachable') return { ...UNREACHABLE, isRefused: true }
    if (refreshResult === 'not-understood') return { ...NOT_UNDERSTOOD, isRefused: true }
    const renewed = this.#sessionOf(caller)
    if (refreshResult === 'refused' || !renewed) return { kind: 'signed-out' }
    if (isWanted && !(await isWanted())) return { kind: 'busy', error: first.error }
    // Another context renewed the tokens; they may have expired as well by now.
    if (refreshResult === 'renewed') return await this.#withRefresh(call, caller, attempt, isWanted)
    const second = await attempt(renewed)
    if (!isUnauthenticated(second)) return second
    // The user has signed out meanwhile, or another context has the next tokens.
    if (this.#sessionOf(caller)?.access_token !== renewed.access_token)
      return { kind: 'busy', error: second.error }
    // 401 with fresh tokens is a fault of the server: keep the session and retry later.
    this.#denied.add(call)
    this.#refused = { access_token: renewed.access_token, at: this.#ports.clock.now() }
    if (this.acceptedToken === renewed.access_token) this.capabilities.refuse(call, 401)
    return { kind: 'busy', error: second.error, isDenied: isAccepted }
  }

  #sessionOf(caller: Caller): Session | undefined {
    const { session } = this.#session.current()
    return session?.user.id === caller.user_id && this.#session.isOfThisServer ? session : undefined
  }

  #request(
    call: ApiCall,
    input: CallInput,
    { caller, idempotency_key, headers, notedAt, withoutOrganisation }: CallOptions,
    session: Session | undefined,
  ): NetworkRequest {
    // On every authenticated call (specification, section 6); that of an operation is its own.
    const organisation_id =
      session && !withoutOrganisation
        ? (caller?.organisation_id ?? session.active_organisation?.id)
        : undefined
    // Another server may not allow the header to pages of other origins.
    const version = this.capabilities.has('app-version') ? this.#ports.appVersion : undefined
    return {
      method: call.method,
      url: requestUrl(call, input, this.#ports),
      notedAt,
      timeoutMs: REQUEST_TIMEOUT_MS,
      headers: {
        Accept: 'application/json',
        ...(input.body !== undefined && { 'Content-Type': 'application/json' }),
        ...(session && { Authorization: `Bearer ${session.access_token}` }),
        ...(organisation_id && { 'X-organisation': organisation_id }),
        ...(session && version !== undefined && { [APP_VERSION_HEADER]: version }),
        ...(idempotency_key && { 'Idempotency-Key': idempotency_key }),
        ...headers,
      },
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
    }
  }

  async #send(
    call: ApiCall,
    input: CallInput,
    options: CallOptions,
    session: Session | undefined,
  ): Promise<Outcome> {
    let response: NetworkResponse
    try {
      response = await this.#ports.network.exchange(this.#request(call, input, options, session))
    } catch {
      return this.#unreachable(call)
    }
    const outcome = await this.#confirm(call, response, input.path?.id, session)
    if (outcome.kind === 'answered' && session) {
      this.acceptedToken = session.access_token
      this.#session.noteAnswer()
      this.#denied.delete(call)
    }
    const isValidated = outcome.kind === 'answered' && isJsonBody(response)
    if (isValidated && call.capability === undefined) this.#learnFrom(response, options, session)
    else if (isValidated) this.capabilities.confirm(response)
    this.onExchange({ call, result: resultOf(outcome) })
    return isValidated && options.withRaw ? { ...outcome, raw: parseRaw(response) } : outcome
  }

  #confirm(call: ApiCall, response: NetworkResponse, id?: string, session?: Session) {
    const read = (isAbsence: boolean) => this.classify(call, response, id, isAbsence)
    return confirmOutcome(call, response, read, session && (() => this.reachesServer()))
  }

  /** A call of the specification was answered: its header counts, and calls that refuse its tokens are not there. */
  #learnFrom(response: NetworkResponse, options: CallOptions, session: Session | undefined): void {
    if (!session && options.headers?.Authorization === undefined) return
    this.capabilities.learn(response, session?.user.id)
    for (const call of this.#denied) this.capabilities.refuse(call, 401)
  }

  /** The outcome that a response is for its call; `id` is the one in its path; `isAbsence`: see `isForeign`. */
  classify(call: ApiCall, response: NetworkResponse, id?: string, isAbsence = false): Outcome {
    const now = this.#ports.clock.now()
    const onRead = (raw: unknown) => this.fields.note(call, raw)
    const outcome = classify(call, response, { id, now, isAbsence, onRead })
    // A 401 is classified after the refresh.
    if ('error' in outcome && outcome.error.status !== 401)
      this.capabilities.refuse(call, outcome.error.status)
    return outcome
  }
}
