// A push service on this machine, and browsers that are subscribed to it: it checks who sends, and they
// read what was encrypted for them, as RFC 8188 and RFC 8291 say.
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  type ECDH,
} from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jwtVerify } from 'jose'
import type { PushMessage } from '../../contract/push.ts'

interface Delivery {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export class FakePushService {
  readonly url: string
  readonly deliveries: Delivery[] = []
  /** What it answers with. */
  answer: { status: number; headers?: Record<string, string> } = { status: 201 }
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async start(): Promise<FakePushService> {
    const server = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const { url: path = '', headers } = request
        peer.deliveries.push({ path, headers, body: Buffer.concat(parts) })
        response.writeHead(peer.answer.status, peer.answer.headers).end()
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const peer = new FakePushService(server)
    return peer
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  subscribe(): FakeBrowser {
    return new FakeBrowser(this)
  }
}

export class FakeBrowser {
  readonly endpoint: string
  readonly #service: FakePushService
  readonly #keys: ECDH
  readonly #auth = randomBytes(16)

  constructor(service: FakePushService) {
    this.#service = service
    this.#keys = createECDH('prime256v1')
    this.#keys.generateKeys()
    this.endpoint = `${service.url}/${randomBytes(12).toString('hex')}`
  }

  /** What it tells the app. */
  get subscription() {
    const p256dh = this.#keys.getPublicKey('base64url')
    return { endpoint: this.endpoint, keys: { p256dh, auth: this.#auth.toString('base64url') } }
  }

  get deliveries(): Delivery[] {
    return this.#service.deliveries.filter(({ path }) => this.endpoint.endsWith(path))
  }

  /** What it was told, the oldest first. */
  get messages(): PushMessage[] {
    return this.deliveries.map(({ body }) => JSON.parse(this.#decrypt(body)) as PushMessage)
  }

  #decrypt(body: Buffer): string {
    const salt = body.subarray(0, 16)
    const length = body.readUInt8(20)
    const sender = body.subarray(21, 21 + length)
    const derived = (key: Buffer, from: Buffer, info: Buffer, size: number) =>
      Buffer.from(hkdfSync('sha256', key, from, info, size))
    const shared = this.#keys.computeSecret(sender)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#keys.getPublicKey(), sender])
    const secret = derived(shared, this.#auth, info, 32)
    const key = derived(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
    const nonce = derived(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
    const sealed = body.subarray(21 + length)
    const decipher = createDecipheriv('aes-128-gcm', key, nonce)
    decipher.setAuthTag(sealed.subarray(-16))
    const open = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
    // One record: what follows the text is the mark of its end.
    return open.subarray(0, open.lastIndexOf(2)).toString('utf8')
  }
}

/** Who signed the request, as the push service reads it (RFC 8292). Throws where it is signed by nobody. */
export async function signerOf({ headers }: Delivery, audience: string) {
  const [, token = '', key = ''] =
    /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? []
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const { payload } = await jwtVerify(token, createPublicKey({ key: jwk, format: 'jwk' }), {
    audience,
    algorithms: ['ES256'],
  })
  return { key, subject: payload.sub }
}
