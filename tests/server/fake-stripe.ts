// A Stripe on the loopback, as far as it is asked: customers, pages to pay on, subscriptions, events.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'

interface Subscription {
  id: string
  customer: string
  status: string
  cancel_at_period_end: boolean
  cancel_at: number | null
  metadata: Record<string, string>
  items: { data: { current_period_start: number; current_period_end: number }[] }
}

interface Session {
  id: string
  customer: string
  status: 'open' | 'complete'
  url: string
  asked: URLSearchParams
}

const MONTH = 30 * 86_400
const newId = (kind: string) => `${kind}_${randomBytes(8).toString('hex')}`

export class FakeStripe {
  readonly server: Server
  readonly webhookSecret = `whsec_${randomBytes(16).toString('hex')}`
  readonly secretKey = `sk_test_${randomBytes(16).toString('hex')}`
  readonly customers: { id: string; asked: URLSearchParams }[] = []
  readonly sessions: Session[] = []
  readonly subscriptions: Subscription[] = []
  url = ''
  isDown = false
  /** Where the pages of this Stripe are. */
  pages = 'https://stripe.example'
  /** Holds back answers that list subscriptions, after they were made. */
  holdResponses: Promise<void> | undefined
  /** How many answers were held back. */
  holding = 0
  readonly #byKey = new Map<string, unknown>()

  constructor() {
    this.server = createServer((request, response) => {
      void this.#respond(request).then(({ status, body }) => {
        response.writeHead(status, { 'Content-Type': 'application/json' })
        response.end(JSON.stringify(body))
      })
    })
  }

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** Of a server that is connected to it. */
  get configuration() {
    const { secretKey, webhookSecret, url } = this
    return { secretKey, webhookSecret, url, price: 'price_pro' }
  }

  async #respond(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const refuse = (status: number, message: string) => ({ status, body: { error: { message } } })
    if (this.isDown) return refuse(503, 'Down')
    if (request.headers.authorization !== `Bearer ${this.secretKey}`)
      return refuse(401, `Invalid API Key provided: ${this.secretKey}`)
    const { pathname, searchParams } = new URL(request.url ?? '', this.url)
    const form = new URLSearchParams(Buffer.concat(parts).toString())
    const key = request.headers['idempotency-key']
    if (typeof key === 'string' && this.#byKey.has(key))
      return { status: 200, body: this.#byKey.get(key) }
    const body = this.#answer(`${request.method} ${pathname}`, form, searchParams)
    // As it was when it was asked, however long the answer takes.
    const snapshot = JSON.parse(JSON.stringify(body ?? null)) as unknown
    if (pathname === '/v1/subscriptions' && this.holdResponses) {
      this.holding += 1
      await this.holdResponses
    }
    if (body === undefined) return refuse(404, 'No such thing')
    if (typeof key === 'string') this.#byKey.set(key, snapshot)
    return { status: 200, body: snapshot }
  }

  #answer(call: string, asked: URLSearchParams, query: URLSearchParams): unknown {
    const customer = asked.get('customer') ?? query.get('customer') ?? ''
    if (call === 'POST /v1/customers') {
      const made = { id: newId('cus'), asked }
      this.customers.push(made)
      return made
    }
    if (call === 'GET /v1/checkout/sessions')
      return list(this.sessions.filter((one) => one.customer === customer && one.status === 'open'))
    if (call === 'POST /v1/checkout/sessions') {
      const id = newId('cs')
      const url = `${this.pages}/pay/${id}`
      const session: Session = { id, customer, status: 'open', url, asked }
      this.sessions.push(session)
      return session
    }
    if (call === 'POST /v1/billing_portal/sessions')
      return { id: newId('bps'), url: `${this.pages}/portal/${customer}`, asked }
    if (call === 'GET /v1/subscriptions')
      return list(this.subscriptions.filter((one) => one.customer === customer))
    const [, method, id] = /^(POST|DELETE) \/v1\/subscriptions\/(\w+)$/.exec(call) ?? []
    const subscription = this.subscriptions.find((one) => one.id === id)
    if (!subscription) return undefined
    if (method === 'DELETE') subscription.status = 'canceled'
    const ending = asked.get('cancel_at_period_end')
    if (ending !== null) {
      subscription.cancel_at_period_end = ending === 'true'
      const end = subscription.items.data[0]?.current_period_end ?? null
      subscription.cancel_at = ending === 'true' ? end : null
    }
    if (asked.get('cancel_at') === '') subscription.cancel_at = null
    return subscription
  }

  /** Somebody pays on the page at `url`. */
  pay(url: string, now: Date, status = 'active'): Subscription {
    const session = this.sessions.find((one) => one.url === url)
    if (!session) throw new Error(`There is no page ${url}.`)
    session.status = 'complete'
    const start = Math.floor(now.getTime() / 1000)
    const organisation_id = session.asked.get('subscription_data[metadata][organisation_id]') ?? ''
    const subscription: Subscription = {
      id: newId('sub'),
      customer: session.customer,
      status,
      cancel_at_period_end: false,
      cancel_at: null,
      metadata: { organisation_id },
      items: { data: [{ current_period_start: start, current_period_end: start + MONTH }] },
    }
    this.subscriptions.push(subscription)
    return subscription
  }

  /** The next month begins; paid or not. */
  renew(subscription: Subscription, status = 'active'): void {
    const [period] = subscription.items.data
    const start = period?.current_period_end ?? 0
    subscription.items.data = [{ current_period_start: start, current_period_end: start + MONTH }]
    subscription.status = status
  }

  /** An event about `object` as it is sent, signed at `at`. */
  event(object: object, at: Date, { id = newId('evt'), secret = this.webhookSecret } = {}) {
    const type = 'customer.subscription.updated'
    const payload = JSON.stringify({ id, object: 'event', type, data: { object } })
    const timestamp = Math.floor(at.getTime() / 1000)
    const signer = new Stripe(this.secretKey)
    const signature = signer.webhooks.generateTestHeaderString({ payload, secret, timestamp })
    return { payload, signature }
  }
}

const list = (data: unknown[]) => ({ object: 'list', data, has_more: false })
