// The plain server on a port: for pages of another origin, and for Node.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isMatch, PlainApi, type PlainAnswer, type RequestPattern } from './plain-api.ts'
import type { PlainOptions } from './plain-options.ts'

/** What happens to the answer of a matching request. */
interface Loss extends RequestPattern {
  left: number
  /** The request takes effect only when this resolves. */
  commits: Promise<void>
}

export class PlainServer {
  readonly api: PlainApi
  readonly url: string
  readonly #server: Server
  #losses: Loss[] = []

  private constructor(api: PlainApi, server: Server) {
    this.api = api
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
      void this.#exchange(incoming, outgoing).catch(() => incoming.socket.destroy())
    })
  }

  static async start(
    options: Partial<PlainOptions> = {},
    seed?: { accounts: number; plans: number },
  ): Promise<PlainServer> {
    return await PlainServer.startWith(new PlainApi(options, seed))
  }

  static async startWith(api: PlainApi): Promise<PlainServer> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new PlainServer(api, server)
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  /** Matching requests take effect, and their answers are lost. */
  loseAnswers(pattern: RequestPattern, times = 1): void {
    this.#losses.push({ ...pattern, left: times, commits: Promise.resolve() })
  }

  /**
   * Answers to matching requests are lost, and the requests take effect when the returned function is
   * called.
   */
  delayCommits(pattern: RequestPattern, times = 1): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#losses.push({ ...pattern, left: times, commits: promise })
    return resolve
  }

  async #exchange(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = incoming
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part as Buffer)
    if (method === 'OPTIONS') return this.#send(outgoing, { status: 204, headers: {}, text: '' })
    const loss = this.#losses.find(
      (one) => one.left > 0 && isMatch(one, method, url.split('?')[0] ?? ''),
    )
    if (loss) {
      loss.left -= 1
      incoming.socket.destroy()
      await loss.commits
    }
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    )
    const body = parts.length > 0 ? Buffer.concat(parts).toString() : undefined
    const answer = this.api.handle({ method, url, headers, body })
    return loss ? undefined : this.#send(outgoing, answer)
  }

  #send(outgoing: ServerResponse, { status, headers, text }: PlainAnswer): void {
    outgoing.writeHead(status, {
      ...headers,
      ...this.#corsHeaders(status),
      // A browser repeats a request by itself when a reused connection breaks.
      connection: 'close',
    })
    outgoing.end(text)
  }

  #corsHeaders(status: number): Record<string, string> {
    const { cors } = this.api.options
    if (status >= 400 && !cors.onErrors) return {}
    return {
      'Access-Control-Allow-Origin': cors.origin,
      'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
      'Access-Control-Allow-Headers': cors.allowedHeaders,
      ...(cors.exposesHeaders && {
        'Access-Control-Expose-Headers': 'Cairn-Capabilities, Retry-After, ETag',
      }),
    }
  }
}
