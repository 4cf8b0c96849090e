// Who vouches for people in Google's place: a page where one chooses who one is, and the keys that the
// server checks tokens with.
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignJWT, exportJWK, generateKeyPair } from 'jose'

const CLIENT_ID = 'cairn.apps.example.com'

/** What one can do at the issuer, by the words of its links. */
interface Choice {
  claims?: Record<string, unknown>
  /** What comes back instead of a token. */
  error?: string
  /** What becomes of the state on the way. */
  state?: string
}

export class GoogleIssuer {
  readonly url: string
  /** The paths that were asked for. */
  readonly requests: string[] = []
  readonly #server: Server
  readonly #choices: Record<string, Choice>
  readonly #keys: CryptoKeyPair

  private constructor(server: Server, keys: CryptoKeyPair, choices: Record<string, Choice>) {
    this.#server = server
    this.#keys = keys
    this.#choices = choices
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', ({ url = '/' }, response) => {
      this.requests.push(url)
      void this.#answer(new URL(url, this.url), response)
    })
  }

  static async start(choices: Record<string, Choice>): Promise<GoogleIssuer> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new GoogleIssuer(server, await generateKeyPair('RS256'), choices)
  }

  /** What the server has to know of it. */
  get env(): Record<string, string> {
    return {
      GOOGLE_CLIENT_ID: CLIENT_ID,
      GOOGLE_ISSUER: this.url,
      GOOGLE_AUTHORIZATION_URL: `${this.url}/authorize`,
    }
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #answer({ pathname, searchParams }: URL, response: ServerResponse): Promise<void> {
    if (pathname === '/authorize') {
      const links = Object.entries(this.#choices).map(async ([words, choice]) => {
        const back = await this.#redirectUrl(searchParams, choice)
        return `<p><a href="${back.replaceAll('&', '&amp;')}">${words}</a></p>`
      })
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      response.end(`<title>Choose an account</title>${(await Promise.all(links)).join('')}`)
      return
    }
    const key = { ...(await exportJWK(this.#keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
    response.setHeader('Content-Type', 'application/json')
    const keys = { keys: [key] }
    const discovery = { issuer: this.url, jwks_uri: `${this.url}/keys` }
    response.end(JSON.stringify(pathname === '/keys' ? keys : discovery))
  }

  /** The way back to the app with what was chosen. */
  async #redirectUrl(asked: URLSearchParams, { claims, error, state }: Choice): Promise<string> {
    const fits = asked.get('client_id') === CLIENT_ID && asked.get('response_type') === 'id_token'
    if (!fits) return '/unknown-client'
    const fragment = new URLSearchParams({ state: state ?? asked.get('state') ?? '' })
    if (error === undefined) fragment.set('id_token', await this.#sign(claims, asked.get('nonce')))
    else fragment.set('error', error)
    return `${asked.get('redirect_uri')}#${fragment.toString()}`
  }

  #sign(claims: Record<string, unknown> = {}, nonce: string | null): Promise<string> {
    return new SignJWT({ email_verified: true, nonce, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(this.url)
      .setAudience(CLIENT_ID)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(this.#keys.privateKey)
  }
}
