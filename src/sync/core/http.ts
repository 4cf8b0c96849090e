// Calls of the API, classified by outcome. Network failures are outcomes, not exceptions.
import type { OperationError } from './operation.ts'
import type {
  ApiCall,
  CallInput,
  CancelSignal,
  NetworkResponse,
  NetworkRequest,
  Ports,
  ServerEvent,
} from './ports.ts'
import type { Caller, SessionManager } from './session.ts'
import type { Session } from './session-store.ts'

const REQUEST_TIMEOUT_MS = 20_000
const MAX_RETRY_AFTER_MS = 5 * 60_000
/** Servers send a heartbeat more often than this. */
const STREAM_IDLE_TIMEOUT_MS = 60_000
const EVENT_STREAM_HEADERS = { Accept: 'text/event-stream' }
const UNREACHABLE = { kind: 'unreachable' } as const

/** The outcome of a call. */
export type Outcome =
  /** A 2xx response, validated by the call's schema. */
  | { kind: 'answered'; value: unknown }
  /**
   * An error response that a retry does not change; `data` and `changed_by` are the body's fields of that
   * name.
   */
  | ({ kind: 'refused' } & ErrorDetails)
  /** The server is reachable but cannot answer now; `retryAfterMs` where it sent Retry-After. */
  | { kind: 'busy'; error: OperationError; retryAfterMs?: number }
  /** The caller is not the signed-in user any more. Nothing was sent, or the tokens were rejected. */
  | { kind: 'signed-out' }
  /**
   * No response of this server: none arrived, or one of another origin, for example a captive portal.
   */
  | { kind: 'unreachable' }

interface ErrorDetails {
  error: OperationError
  data?: unknown
  changed_by?: Record<string, unknown>
}

export interface CallOptions {
  /** Undefined for anonymous calls. */
  caller?: Caller | undefined
  idempotency_key?: string
  /** Further headers, for example `If-Match`. */
  headers?: Record<string, string>
}

/** The parsed body; undefined when it is not JSON. */
export const parseJson = (response: NetworkResponse): unknown => {
  try {
    return JSON.parse(response.text)
  } catch {
    return undefined
  }
}

const isJson = (response: NetworkResponse) =>
  /^application\/(?:[\w.+-]+\+)?json\b/i.test(response.header('content-type') ?? '')

const isHtml = (response: NetworkResponse) =>
  /^text\/html\b/i.test(response.header('content-type') ?? '')

/** `Retry-After` (seconds or a date, RFC 9110, 10.2.3) in milliseconds, at most five minutes. */
function retryAfter(response: NetworkResponse, now: number): number | undefined {
  const value = response.header('retry-after')
  if (value === null || value === '') return undefined
  const wait = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS)
}

/** Reads an error response in the contract's shape; fields of other types are ignored. */
function readError(response: NetworkResponse): ErrorDetails {
  const body = parseJson(response)
  const { message, code, errors, data, changed_by } =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  return {
    error: {
      status: response.status,
      message: typeof message === 'string' ? message : '',
      ...(typeof code === 'string' && { code }),
      ...(typeof errors === 'object' &&
        errors !== null && { errors: errors as Record<string, string[]> }),
    },
    ...(data !== undefined && { data }),
    ...(typeof changed_by === 'object' && changed_by !== null && { changed_by: { ...changed_by } }),
  }
}

const RETRYABLE_STATUSES = new Set([408, 425, 429])

/**
 * Makes the calls of one context with the tokens of its session. No method rejects for a network
 * failure.
 */
export class Http {
  readonly #ports: Ports
  readonly #session: SessionManager
  /** Called after every exchange; `answered` when the response was one of this server. */
  readonly #onExchange: (answered: boolean) => void

  constructor(ports: Ports, session: SessionManager, onExchange: (answered: boolean) => void) {
    this.#ports = ports
    this.#session = session
    this.#onExchange = onExchange
  }

  /**
   * Makes one call. After a 401 the tokens are refreshed once, shared by all contexts, and the call is
   * repeated once (specification, section 4). It is sent with the tokens of `caller` or not at all.
   */
  async call(call: ApiCall, input: CallInput, options: CallOptions = {}): Promise<Outcome> {
    if (call.anonymous || !options.caller) return await this.#send(call, input, options, undefined)
    return await this.#withRefresh(options.caller, (session) =>
      this.#send(call, input, options, session),
    )
  }

  /**
   * Reads the events of a call until the stream ends, is cancelled or is silent for a minute; the
   * server sends heartbeats. Resolves to `answered` then, with no value.
   */
  async stream(
    call: ApiCall,
    caller: Caller,
    onEvent: (event: ServerEvent) => void,
    signal: CancelSignal,
  ): Promise<Outcome> {
    return await this.#withRefresh(caller, async (session) => {
      const request = this.#request(call, {}, { caller, headers: EVENT_STREAM_HEADERS }, session)
      const receive = (event: ServerEvent) => {
        this.#onExchange(true)
        onEvent(event)
      }
      const { network } = this.#ports
      const response = await network
        .stream({ ...request, timeoutMs: STREAM_IDLE_TIMEOUT_MS }, receive, signal)
        .catch(() => undefined)
      if (
        signal.cancelled ||
        response?.header('content-type')?.startsWith(EVENT_STREAM_HEADERS.Accept)
      )
        return { kind: 'answered', value: undefined }
      const outcome = response ? this.#classify(call, response) : UNREACHABLE
      this.#onExchange(outcome.kind !== 'unreachable')
      return outcome
    })
  }

  async #withRefresh(
    caller: Caller,
    attempt: (session: Session) => Promise<Outcome>,
  ): Promise<Outcome> {
    const session = this.#sessionOf(caller)
    if (!session) return { kind: 'signed-out' }
    const first = await attempt(session)
    if (!isUnauthenticated(first)) return first
    const refreshResult = await this.#session.refresh({
      user_id: caller.user_id,
      access_token: session.access_token,
    })
    if (refreshResult === 'unreachable') return UNREACHABLE
    const renewed = this.#sessionOf(caller)
    if (refreshResult === 'refused' || !renewed) return { kind: 'signed-out' }
    const second = await attempt(renewed)
    // 401 with fresh tokens is a fault of the server: keep the session and retry later.
    return isUnauthenticated(second) ? { kind: 'busy', error: second.error } : second
  }

  #sessionOf(caller: Caller): Session | undefined {
    const { session } = this.#session.current()
    return session?.user.id === caller.user_id ? session : undefined
  }

  #request(
    call: ApiCall,
    input: CallInput,
    { caller, idempotency_key, headers }: CallOptions,
    session: Session | undefined,
  ): NetworkRequest {
    const query = input.query ? this.#ports.writeQuery(input.query) : ''
    const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(input.path?.[name] ?? ''),
    )
    return {
      method: call.method,
      url: query ? `${path}?${query}` : path,
      timeoutMs: REQUEST_TIMEOUT_MS,
      headers: {
        Accept: 'application/json',
        ...(input.body !== undefined && { 'Content-Type': 'application/json' }),
        ...(session && { Authorization: `Bearer ${session.access_token}` }),
        ...(call.tenant && caller?.organisation_id && { 'X-organisation': caller.organisation_id }),
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
      this.#onExchange(false)
      return UNREACHABLE
    }
    const outcome = this.#classify(call, response)
    this.#onExchange(outcome.kind !== 'unreachable')
    return outcome
  }

  #classify(call: ApiCall, response: NetworkResponse): Outcome {
    const { status } = response
    if (status >= 200 && status < 300) {
      if (status === 204 || response.text === '') {
        const empty = call.read(undefined)
        return empty.ok ? { kind: 'answered', value: empty.value } : { kind: 'unreachable' }
      }
      const parsed = isJson(response) ? call.read(parseJson(response)) : { ok: false as const }
      return parsed.ok ? { kind: 'answered', value: parsed.value } : { kind: 'unreachable' }
    }
    // The API never redirects and never forbids with a page: this is not a response of the server.
    if (status < 400 || (status === 403 && isHtml(response))) return { kind: 'unreachable' }
    const after = retryAfter(response, this.#ports.clock.now())
    const failure = readError(response)
    if (status >= 500 || RETRYABLE_STATUSES.has(status) || (status === 409 && after !== undefined))
      return {
        kind: 'busy',
        error: failure.error,
        ...(after !== undefined && { retryAfterMs: after }),
      }
    return { kind: 'refused', ...failure }
  }
}

const isUnauthenticated = (outcome: Outcome): outcome is Outcome & { kind: 'refused' } =>
  outcome.kind === 'refused' && outcome.error.status === 401
