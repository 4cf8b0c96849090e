// One call and what became of it. Nothing here throws for what a network does.
import type { ServerEvent } from './event-stream.ts'
import type { OperationError } from './operation.ts'
import type { Call, CallInput, NetworkAnswer, NetworkRequest, Ports } from './ports.ts'
import type { Session, SessionKeeper } from './session.ts'

/** For a whole exchange, in milliseconds. */
const TIMEOUT = 20_000
const LONGEST_RETRY_AFTER = 5 * 60_000
/** Of an answer that stays open, in milliseconds. */
const SILENCE = 60_000
const EVENTS = { Accept: 'text/event-stream' }
const UNREACHABLE = { kind: 'unreachable' } as const

export type Outcome =
  /** A validated answer of this very call. */
  | { kind: 'answered'; value: unknown }
  /** The server said no, in its words; asking again changes nothing. */
  | { kind: 'refused'; error: OperationError; data?: unknown }
  /** The server is there and cannot now. `after` in milliseconds, where it said. */
  | { kind: 'busy'; error: OperationError; after?: number }
  /** Nobody is signed in any more, or somebody else is. */
  | { kind: 'signed-out' }
  /** No answer of this server: nothing arrived, or something else did, a captive portal say. */
  | { kind: 'unreachable' }

/** Whose call it is. */
export interface Caller {
  user_id: string
  organisation_id: string | null
}

export interface CallOptions {
  caller?: Caller | undefined
  idempotency_key?: string
  /** Further headers, `If-Match` say. */
  headers?: Record<string, string>
}

/** The body as JSON; undefined when it is none. */
export const parse = (answer: NetworkAnswer): unknown => {
  try {
    return JSON.parse(answer.text)
  } catch {
    return undefined
  }
}

const isJson = (answer: NetworkAnswer) =>
  /^application\/(?:[\w.+-]+\+)?json\b/i.test(answer.header('content-type') ?? '')

/** `Retry-After` in milliseconds: seconds or a date (RFC 9110, 10.2.3). */
function retryAfter(answer: NetworkAnswer, now: number): number | undefined {
  const value = answer.header('retry-after')
  if (value === null || value === '') return undefined
  const wait = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), LONGEST_RETRY_AFTER)
}

function errorOf(answer: NetworkAnswer): { error: OperationError; data?: unknown } {
  const body = parse(answer)
  const { message, code, errors, data } =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  return {
    error: {
      status: answer.status,
      message: typeof message === 'string' ? message : '',
      ...(typeof code === 'string' && { code }),
      ...(typeof errors === 'object' &&
        errors !== null && { errors: errors as Record<string, string[]> }),
    },
    ...(data !== undefined && { data }),
  }
}

const BUSY = new Set([408, 425, 429])

export class Http {
  readonly #ports: Ports
  readonly #session: SessionKeeper
  /** Told of every exchange whether the server answered: the last real answer decides. */
  readonly #heard: (answered: boolean) => void

  constructor(ports: Ports, session: SessionKeeper, heard: (answered: boolean) => void) {
    this.#ports = ports
    this.#session = session
    this.#heard = heard
  }

  /**
   * Makes a call of the table. A 401 is answered by one refresh, shared by all contexts, and one
   * more try (specification, section 4). It is sent with the tokens of `caller`, or not at all.
   */
  async call(call: Call, input: CallInput, options: CallOptions = {}): Promise<Outcome> {
    if (call.anonymous || !options.caller) return await this.#once(call, input, options, undefined)
    return await this.#renewing(options.caller, (session) =>
      this.#once(call, input, options, session),
    )
  }

  /**
   * Keeps a call of the table open and hears its events, until it ends or `until` says so. A silence
   * of a minute ends it: the server is to give signs of life.
   */
  async listen(
    call: Call,
    caller: Caller,
    heard: (event: ServerEvent) => void,
    until: AbortSignal,
  ): Promise<Outcome> {
    return await this.#renewing(caller, async (session) => {
      const request = this.#request(call, {}, { caller, headers: EVENTS }, session)
      const hear = (event: ServerEvent) => {
        this.#heard(true)
        heard(event)
      }
      const { network } = this.#ports
      const answer = await network
        .listen({ ...request, timeout: SILENCE }, hear, until)
        .catch(() => undefined)
      if (until.aborted || answer?.header('content-type')?.startsWith(EVENTS.Accept))
        return { kind: 'answered', value: undefined }
      const outcome = answer ? this.#judge(call, answer) : UNREACHABLE
      this.#heard(outcome.kind !== 'unreachable')
      return outcome
    })
  }

  async #renewing(caller: Caller, once: (session: Session) => Promise<Outcome>): Promise<Outcome> {
    const session = this.#sessionOf(caller)
    if (!session) return { kind: 'signed-out' }
    const first = await once(session)
    if (!isUnauthenticated(first)) return first
    const refreshed = await this.#session.refresh({
      user_id: caller.user_id,
      access_token: session.access_token,
    })
    if (refreshed === 'unreachable') return UNREACHABLE
    const renewed = this.#sessionOf(caller)
    if (refreshed === 'refused' || !renewed) return { kind: 'signed-out' }
    const second = await once(renewed)
    // Fresh tokens and still 401: the server is at odds with itself. Keep what there is, and wait.
    return isUnauthenticated(second) ? { kind: 'busy', error: second.error } : second
  }

  #sessionOf(caller: Caller): Session | undefined {
    const { session } = this.#session.current()
    return session?.user.id === caller.user_id ? session : undefined
  }

  #request(
    call: Call,
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
      timeout: TIMEOUT,
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

  async #once(
    call: Call,
    input: CallInput,
    options: CallOptions,
    session: Session | undefined,
  ): Promise<Outcome> {
    let answer: NetworkAnswer
    try {
      answer = await this.#ports.network.exchange(this.#request(call, input, options, session))
    } catch {
      this.#heard(false)
      return UNREACHABLE
    }
    const outcome = this.#judge(call, answer)
    this.#heard(outcome.kind !== 'unreachable')
    return outcome
  }

  #judge(call: Call, answer: NetworkAnswer): Outcome {
    const { status } = answer
    if (status >= 200 && status < 300) {
      if (status === 204 || answer.text === '') {
        const nothing = call.read(undefined)
        return nothing.ok ? { kind: 'answered', value: nothing.value } : { kind: 'unreachable' }
      }
      const read = isJson(answer) ? call.read(parse(answer)) : { ok: false as const }
      return read.ok ? { kind: 'answered', value: read.value } : { kind: 'unreachable' }
    }
    // A redirect that was not followed is not this server speaking.
    if (status < 400) return { kind: 'unreachable' }
    const after = retryAfter(answer, this.#ports.clock.now())
    const said = errorOf(answer)
    if (status >= 500 || BUSY.has(status) || (status === 409 && after !== undefined))
      return { kind: 'busy', error: said.error, ...(after !== undefined && { after }) }
    return { kind: 'refused', ...said }
  }
}

const isUnauthenticated = (outcome: Outcome): outcome is Outcome & { kind: 'refused' } =>
  outcome.kind === 'refused' && outcome.error.status === 401
