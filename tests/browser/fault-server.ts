// A bad network between browser and server: a real proxy, so that it also stands before the service
// worker, and that breaks what it is told to break.
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { freePort } from './server.ts'
import { waitUntil } from './until.ts'

/** What becomes of an exchange that a rule is for. */
export type Fault =
  /** Never reaches the server. */
  | { kind: 'lost' }
  /** The server has answered, and the answer never arrives. */
  | { kind: 'answer-lost' }
  /** The server has answered, and the answer breaks off in the middle of its body. */
  | { kind: 'cut' }
  /** Is answered as ever, and reaches the server a second time once `again` is fulfilled. */
  | { kind: 'doubled'; again: Promise<void> }
  /** The connection breaks at once, and the request reaches the server once `arrives` is fulfilled. */
  | { kind: 'late'; arrives: Promise<void> }
  /** Somebody else answers: a captive portal, a tired proxy. */
  | { kind: 'answered'; status: number; headers?: Record<string, string>; body: string }
  /** Waits at the proxy until released, then goes on. */
  | { kind: 'held'; released: Promise<void> }

export interface Exchange {
  method: string
  path: string
  key: string | undefined
  /** The status of the answer that the browser got; undefined when it got none, or not all of it. */
  status: number | undefined
  /** The status of the server itself; undefined when it was not asked, or is not there. */
  upstream: number | undefined
  replayed: boolean
  /** When it came by, in epoch milliseconds. */
  at: number
  /** When the server had answered; undefined as long as it has not. */
  answered: number | undefined
}

/** Which exchanges a rule is for. */
interface RequestMatcher {
  method?: string
  path: RegExp
  /** Leaves so many alone first. */
  after?: number
}

interface Rule extends RequestMatcher {
  fault: Fault
  skip: number
  left: number
}

export class FaultProxy {
  readonly port: number
  readonly url: string
  readonly exchanges: Exchange[] = []
  readonly #server
  readonly #upstreamPort: number
  #rules: Rule[] = []

  private constructor(server: ReturnType<typeof createServer>, upstreamPort: number) {
    this.#server = server
    this.#upstreamPort = upstreamPort
    this.port = (server.address() as AddressInfo).port
    this.url = `http://127.0.0.1:${this.port}`
    server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
      void this.#exchange(incoming, outgoing).catch(() => incoming.socket.destroy())
    })
  }

  static async start(upstreamPort: number): Promise<FaultProxy> {
    const server = createServer().listen(await freePort(), '127.0.0.1')
    await once(server, 'listening')
    return new FaultProxy(server, upstreamPort)
  }

  /** Breaks `times` of those exchanges (or all of them); returns what ends it. */
  injectFault(which: RequestMatcher, fault: Fault, times = Infinity): () => void {
    const rule: Rule = { ...which, fault, skip: which.after ?? 0, left: times }
    this.#rules.push(rule)
    return () => {
      this.#rules = this.#rules.filter((other) => other !== rule)
    }
  }

  /** Holds exchanges at the proxy until the returned function is called. */
  hold(which: RequestMatcher): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    const end = this.injectFault(which, { kind: 'held', released: promise })
    return () => {
      end()
      resolve()
    }
  }

  /** What came by so far, of that method and path. */
  requests(method: string, path: RegExp): Exchange[] {
    return this.exchanges.filter((one) => one.method === method && path.test(one.path))
  }

  /** Waits until so many exchanges of that method and path came by. */
  async waitForRequests(method: string, path: RegExp, times = 1): Promise<Exchange[]> {
    return await waitUntil(`${times} × ${method} ${String(path)}`, () => {
      const seen = this.requests(method, path)
      return seen.length >= times ? seen : null
    })
  }

  /** No network at all: connections are refused, and open ones break. */
  async goDown(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  /** The network is there again, under the same address. */
  async goUp(): Promise<void> {
    this.#server.listen(this.port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  #faultOf(method: string, path: string): Fault | undefined {
    const rule = this.#rules.find(
      (one) =>
        one.left > 0 && (one.method === undefined || one.method === method) && one.path.test(path),
    )
    if (!rule) return undefined
    if (rule.skip > 0) {
      rule.skip -= 1
      return undefined
    }
    rule.left -= 1
    return rule.fault
  }

  async #exchange(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/' } = incoming
    const key = incoming.headers['idempotency-key']
    const exchange: Exchange = {
      method,
      path,
      key: typeof key === 'string' ? key : undefined,
      status: undefined,
      upstream: undefined,
      replayed: false,
      at: Date.now(),
      answered: undefined,
    }
    const body = await readBody(incoming)
    this.exchanges.push(exchange)
    const fault = this.#faultOf(method, path)
    if (fault?.kind === 'lost') return void incoming.socket.destroy()
    if (fault?.kind === 'answered') {
      exchange.status = fault.status
      outgoing.writeHead(fault.status, { ...fault.headers, connection: 'close' })
      return void outgoing.end(fault.body)
    }
    if (fault?.kind === 'late') incoming.socket.destroy()
    if (fault?.kind === 'late') await fault.arrives
    if (fault?.kind === 'held') await fault.released
    const answer = await this.#note(exchange, incoming, body)
    if (fault?.kind === 'answer-lost') incoming.socket.destroy()
    // The browser may also have gone away by itself.
    if (incoming.socket.destroyed) return undefined
    // Never kept alive: a browser sends a request again by itself when a used connection breaks.
    const headers = { ...answer.headers, connection: 'close' }
    if (fault?.kind === 'cut') {
      delete headers['transfer-encoding']
      outgoing.writeHead(answer.status, { ...headers, 'content-length': answer.body.length })
      const half = answer.body.subarray(0, answer.body.length / 2)
      return void outgoing.write(half, () => incoming.socket.destroy())
    }
    exchange.status = answer.status
    outgoing.writeHead(answer.status, headers)
    // Either side may go away; then the other one goes, too.
    if (answer.open) return await pipeline(answer.open, outgoing).catch(() => undefined)
    outgoing.end(answer.body)
    if (fault?.kind !== 'doubled') return undefined
    await fault.again
    const none = { status: undefined, upstream: undefined, answered: undefined }
    const repeat = { ...exchange, ...none, at: Date.now() }
    this.exchanges.push(repeat)
    await this.#note(repeat, incoming, body)
    return undefined
  }

  /** Asks the server, and notes what it said. */
  async #note(exchange: Exchange, incoming: IncomingMessage, body: Buffer) {
    const answer = await this.#forward(incoming, body)
    exchange.upstream = answer.status
    exchange.answered = Date.now()
    exchange.replayed = answer.headers['idempotent-replayed'] === 'true'
    return answer
  }

  async #forward(incoming: IncomingMessage, body: Buffer) {
    const requested = request({
      host: '127.0.0.1',
      port: this.#upstreamPort,
      method: incoming.method,
      path: incoming.url,
      headers: { ...incoming.headers, connection: 'close' },
      agent: false,
    })
    requested.end(body)
    const [answer] = (await once(requested, 'response')) as [IncomingMessage]
    const { statusCode: status = 502, headers } = answer
    // What goes on for as long as somebody listens is passed on as it comes.
    const isOpen = headers['content-type']?.startsWith('text/event-stream') === true
    return isOpen
      ? { status, headers, body: Buffer.of(), open: answer }
      : { status, headers, body: await readBody(answer), open: undefined }
  }
}

async function readBody(answer: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
