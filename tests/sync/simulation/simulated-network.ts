// The network between the simulated device and the model server, and its faults.
import type {
  CancelSignal,
  Network,
  NetworkRequest,
  NetworkResponse,
  ServerEvent,
} from '../../../src/sync/core/ports.ts'
import { BATCH, partsOf, type AnswerPart } from './model/batch.ts'
import { errorResponse, type ServerAnswer } from './model-tenant.ts'
import type { SimulatedProcess, SimulatedEnvironment } from './simulated-environment.ts'

/** Probabilities from 0 to 1 by kind of fault. */
export interface NetworkFaults {
  lostRequest: number
  lostAnswer: number
  duplicate: number
  /** The share of duplicates that arrive late, up to minutes. */
  late: number
  slow: number
  serverError: number
  rateLimited: number
  captivePortal: number
  /** The first request with the key still runs, or another one holds the record: 409 with Retry-After. */
  running: number
  /** The server refuses a write with 409 without Retry-After: for good. */
  refused: number
  /** 401 for valid tokens. */
  unauthenticated: number
}

export const NO_NETWORK_FAULTS: NetworkFaults = {
  lostRequest: 0,
  lostAnswer: 0,
  duplicate: 0,
  late: 0,
  slow: 0,
  serverError: 0,
  rateLimited: 0,
  captivePortal: 0,
  running: 0,
  refused: 0,
  unauthenticated: 0,
}

/** Portals send their page with any of these. */
const PORTAL_STATUSES = [200, 200, 401, 403]
const portalPage = (status: number): ServerAnswer => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  text: '<!doctype html><title>Welcome aboard</title>',
})

const answerOf = ({ status, headers, text }: ServerAnswer): NetworkResponse => ({
  status,
  header: (name) => headers[name.toLowerCase()] ?? null,
  text,
})

/** What answers the requests of a device. A duplicate of a request is handled as the same object. */
export interface AnsweringServer {
  handle: (request: NetworkRequest, now: number, answerPart: AnswerPart) => ServerAnswer
  openStream: (owner: SimulatedProcess, stream: StreamRequest) => Promise<ServerAnswer>
}

/** A stream that a context wants; `isOpen` tells whether its connection still is. */
export interface StreamRequest {
  request: NetworkRequest
  onEvent: (event: ServerEvent) => void | Promise<void>
  signal: CancelSignal
  isOpen: () => boolean
}

/** Who sees each exchange. */
export interface NetworkObserver {
  requestSent: (owner: SimulatedProcess, request: NetworkRequest) => void
  /** The answer has reached the context. */
  responseCreated: (
    owner: SimulatedProcess,
    request: NetworkRequest,
    answer: ServerAnswer,
    now: number,
  ) => void
  tokens: { responseDelivered: (owner: SimulatedProcess, request: NetworkRequest) => void }
}

export class SimulatedNetwork {
  faults: NetworkFaults = NO_NETWORK_FAULTS
  /** Whether there is a network, and whether the browser reports that there is none. */
  up = true
  admitsOffline = true
  savesData = false
  readonly #world: SimulatedEnvironment
  readonly #server: AnsweringServer
  readonly #ledger: NetworkObserver
  /** Increases with each restart of the server: requests in flight are lost. */
  #life = 0
  #refusedWrites = 0
  #down = false

  constructor(world: SimulatedEnvironment, server: AnsweringServer, ledger: NetworkObserver) {
    this.#world = world
    this.#server = server
    this.#ledger = ledger
  }

  /** Stops the server for a while; answers in flight are lost. */
  restartServer(wait: number): void {
    this.#life += 1
    this.#down = true
    this.#world.schedule(wait, () => (this.#down = false))
  }

  get isReachable(): boolean {
    return this.up && !this.#down
  }

  /** Whether a connection that is open now still is. */
  #lifeCheck(): () => boolean {
    const life = this.#life
    return () => this.isReachable && life === this.#life
  }

  /** The network port of one context. */
  of(owner: SimulatedProcess): Network {
    return {
      onlineHint: () => this.up || !this.admitsOffline,
      // The app's own origin: there is nothing that a browser does not show.
      answers: async () => false,
      saveData: () => this.savesData,
      exchange: (request) =>
        new Promise((resolve, reject) => {
          this.#exchange(owner, request, resolve, reject)
        }),
      stream: async (request, onEvent, signal) => {
        if (!this.isReachable) throw new Error('no network')
        const isOpen = this.#lifeCheck()
        return answerOf(await this.#server.openStream(owner, { request, onEvent, signal, isOpen }))
      },
    }
  }

  #exchange(
    owner: SimulatedProcess,
    request: NetworkRequest,
    resolve: (answer: NetworkResponse) => void,
    reject: (error: Error) => void,
  ): void {
    const { rng: chance } = this.#world
    const { faults } = this
    const say = (line: string) =>
      this.#world.log(owner.name, () => `${line}  ${summaryOf(request)}`)
    let over = false
    const end = (delay: number, complete: () => void) =>
      this.#world.schedule(
        delay,
        () => {
          if (over) return
          over = true
          this.#ledger.tokens.responseDelivered(owner, request)
          complete()
        },
        owner,
      )
    this.#ledger.requestSent(owner, request)
    const fail = (delay: number, why: string) =>
      end(delay, () => {
        say(`✗ ${why}`)
        reject(new Error(why))
      })
    say('→')
    fail(request.timeoutMs, 'no answer in time')
    if (!this.isReachable) return void fail(5, 'no network')
    const travel = () =>
      chance.withProbability(faults.slow)
        ? 25_000 * chance.fraction()
        : chance.numberBetween(5, 120)
    if (chance.withProbability(faults.captivePortal))
      return void end(travel(), () => {
        const status = chance.pick(PORTAL_STATUSES)
        say(`← a captive portal, ${status}`)
        // Every other one to a write is the 404 of a proxy whose server is starting.
        const isWrite = status === 403 && request.method !== 'GET'
        const isMissing = isWrite && (this.#refusedWrites += 1) % 2 === 0
        resolve(answerOf(portalPage(isMissing ? 404 : status)))
      })
    if (chance.withProbability(faults.duplicate)) {
      const delay = chance.withProbability(faults.late)
        ? chance.fraction() * 60_000
        : chance.numberBetween(5, 2_000)
      this.#world.schedule(delay, () => {
        say('⇉ delivered once more')
        this.#handle(request)
      })
    }
    if (chance.withProbability(faults.lostRequest))
      return void (chance.withProbability(0.5) && fail(travel(), 'the request was lost'))
    const life = this.#life
    this.#world.schedule(travel(), () => {
      if (life !== this.#life) {
        fail(1, 'the connection broke')
        return
      }
      const answer = this.#answer(request)
      const lost = chance.withProbability(faults.lostAnswer)
      this.#world.log(
        'server',
        () => `${answer.status}${lost ? ', lost' : ''}  ${summaryOf(request)}`,
      )
      if (lost) {
        if (chance.withProbability(0.7)) fail(travel(), 'the answer was cut')
        return
      }
      end(travel(), () => {
        if (life !== this.#life) return reject(new Error('the connection broke'))
        say(`← ${answer.status}`)
        this.#ledger.responseCreated(owner, request, answer, this.#world.now)
        resolve(answerOf(answer))
      })
    })
  }

  /** The answer of the server or of a proxy in front of it. */
  #answer(request: NetworkRequest): ServerAnswer {
    return (
      this.#failure(() => this.#handle(request)) ??
      this.#rejection(request, () => this.#handle(request)) ??
      this.#handle(request)
    )
  }

  /** The answer of a server that takes no requests now; undefined when it takes this one. */
  #failure(handle: () => void): ServerAnswer | undefined {
    const { rng: chance } = this.#world
    if (chance.withProbability(this.faults.rateLimited))
      return {
        status: 429,
        headers: {
          'content-type': 'application/json',
          'retry-after': String(1 + chance.integerBelow(60)),
        },
        text: '{"message":"Too many requests."}',
      }
    if (!chance.withProbability(this.faults.serverError)) return undefined
    // The failure comes before or after the commit.
    if (chance.withProbability(0.5)) handle()
    return { status: chance.pick([500, 502, 503]), headers: {}, text: 'upstream error' }
  }

  /** The server refuses one request, for now or for good. */
  #rejection(request: NetworkRequest, handle: () => void): ServerAnswer | undefined {
    const { rng: chance } = this.#world
    if (request.headers['Idempotency-Key'] !== undefined) {
      if (chance.withProbability(this.faults.running)) {
        if (chance.withProbability(0.3)) this.#world.schedule(500, handle)
        return errorResponse(409, 'The first request still runs.', { 'retry-after': '1' })
      }
      if (chance.withProbability(this.faults.refused)) return errorResponse(409, 'It is closed.')
    }
    const isDenied =
      request.headers.Authorization && chance.withProbability(this.faults.unauthenticated)
    return isDenied ? errorResponse(401, 'Unauthenticated.') : undefined
  }

  #handle(request: NetworkRequest): ServerAnswer {
    const { rng: chance } = this.#world
    return this.#server.handle(request, this.#world.now, (part, answer, index) => {
      // The time of the batch is over; one operation is always begun.
      if (index > 0 && chance.withProbability(this.faults.slow / 2)) return undefined
      return this.#failure(answer) ?? this.#rejection(part, answer) ?? answer()
    })
  }
}

/** A request in one line of the trace. */
function summaryOf(request: NetworkRequest): string {
  const { method, url, headers, body } = request
  if (url === BATCH) return `${method} batch of ${partsOf(request).map(summaryOf).join(', ')}`
  const { 'Idempotency-Key': key, 'X-organisation': organisation, Authorization } = headers
  const parsed = JSON.parse(body ?? '{}') as Record<string, string | undefined>
  return [
    method,
    url.replace('/api/v1', ''),
    parsed.refresh_token ?? parsed.body ?? parsed.title ?? parsed.name ?? '',
    organisation && `in ${organisation}`,
    Authorization?.replace('Bearer ', 'with '),
    key && `key ${key}`,
  ]
    .filter(Boolean)
    .join(' ')
}
