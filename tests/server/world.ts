// A server in this process with an empty database, a clock that tests move, and people who call it.
import { randomBytes } from 'node:crypto'
import type { Hono } from 'hono'
import { v7 as uuidv7 } from 'uuid'
import type { Tokens } from '../../contract/people.ts'
import { createApp, type AppOptions } from '../../server/app.ts'
import { appConfig } from '../../server/configuration.ts'
import type { Mail } from '../../server/outside/mail.ts'
import { createMailQueue, type MailQueue } from '../../server/outside/mail-queue.ts'
import type { Database } from '../../server/database.ts'
import { hashPassword } from '../../server/passwords.ts'
import { TOKEN_LIFETIMES, createTokenService, type TokenService } from '../../server/tokens.ts'
import { assertMatchesOpenApi } from './agreed.ts'
import { emptyDatabase } from './empty-database.ts'

export const PASSWORD = 'correct horse battery'
export const CLIENT = { client_id: 'cairn-app', client_secret: 'cairn-app-is-public', scope: '' }

/** Computed once for all people of a run: it costs a tenth of a second. */
let hash: Promise<string> | undefined

export class ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string

  constructor(response: Response, text: string) {
    this.status = response.status
    this.headers = response.headers
    this.text = text
  }

  /** The body as JSON; null where there is none. */
  get json(): Record<string, unknown> {
    return JSON.parse(this.text || 'null') as Record<string, unknown>
  }

  /** What is under `data`. */
  data<T = Record<string, unknown>>(): T {
    return this.json.data as T
  }

  /** Status and body at once, for one comparison. */
  get statusAndBody() {
    return { status: this.status, body: this.json }
  }
}

export interface CallOptions {
  body?: unknown
  headers?: Record<string, string>
}

export class ApiFixture {
  readonly app: Hono
  readonly database: Database
  readonly tokenKey: Buffer
  /** What was mailed, oldest first. */
  readonly mails: Mail[] = []
  readonly mail: MailQueue
  readonly #tokens: TokenService
  #delivered: Promise<void> | undefined
  #now: number

  private constructor(database: Database, options: Partial<AppOptions>) {
    this.database = database
    this.tokenKey = randomBytes(32)
    this.#now = Date.parse('2026-03-02T09:00:00.000Z')
    const queue = createMailQueue(database, {
      mailer: { send: async (mail) => void this.mails.push(mail) },
      key: this.tokenKey,
      now: () => this.now,
    })
    this.mail = { ...queue, deliver: () => (this.#delivered = queue.deliver()) }
    this.#tokens = createTokenService(database, {
      key: this.tokenKey,
      now: () => this.now,
      lifetimes: { ...TOKEN_LIFETIMES, ...options.tokenLifetimes },
    })
    this.app = this.appWith(options)
  }

  static async open(options: Partial<AppOptions> = {}): Promise<ApiFixture> {
    return new ApiFixture(await emptyDatabase(), options)
  }

  /** Another server on the same database, clock and key. */
  appWith(options: Partial<AppOptions>): Hono {
    return createApp({
      database: this.database,
      config: appConfig({}),
      tokenKey: this.tokenKey,
      mail: this.mail,
      publicUrl: () => 'https://cairn.example.com',
      now: () => new Date(this.#now),
      ...options,
    })
  }

  close(): Promise<void> {
    return this.database.close()
  }

  get now(): Date {
    return new Date(this.#now)
  }

  /** Lets time go by. */
  advance(time: { seconds?: number; minutes?: number; days?: number }): void {
    const { seconds = 0, minutes = 0, days = 0 } = time
    this.#now += ((days * 24 * 60 + minutes) * 60 + seconds) * 1000
  }

  async call(
    method: string,
    path: string,
    { body, headers }: CallOptions = {},
    app = this.app,
  ): Promise<ApiResponse> {
    const response = await app.request(path, {
      method,
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const reply = new ApiResponse(response, await response.text())
    await this.#delivered
    const { status, text } = reply
    assertMatchesOpenApi(method, path, { status, text, type: reply.headers.get('Content-Type') })
    return reply
  }

  token(parameters: Record<string, unknown>, app = this.app): Promise<ApiResponse> {
    return this.call('POST', '/oauth/token', { body: { ...CLIENT, ...parameters } }, app)
  }

  signIn(email: string, password = PASSWORD): Promise<ApiResponse> {
    return this.token({ grant_type: 'password', username: email, password })
  }

  /**
   * Somebody who is registered and signed in, with PASSWORD. Not through the API, which computes for a
   * quarter of a second on purpose: how it does that has tests of its own.
   */
  async createUser(name: string): Promise<ApiUser> {
    const [id, at] = [uuidv7(), this.now.toISOString()]
    const email = `${name.toLowerCase()}-${id}@example.com`
    const password_hash = await (hash ??= hashPassword(PASSWORD))
    const tokens = await this.database.auth(async (tx) => {
      await tx
        .insertInto('users')
        .values({ id, name, email, password_hash, timezone: 'UTC', created_at: at, updated_at: at })
        .execute()
      return this.#tokens.createFamily(tx, id)
    })
    return new ApiUser(this, { id, email, tokens })
  }

  /**
   * Somebody with an organisation of their own, which they work in. It has the plan without limits
   * unless said otherwise: upgrading is not part of this server yet.
   */
  async createOwner(
    name: string,
    plan: 'free' | 'professional' = 'professional',
  ): Promise<ApiUser> {
    const person = await this.createUser(name)
    const created = await person.post('/api/v1/organisations', { name: `${name}’s organisation` })
    const { id } = created.data<{ id: string }>()
    await this.database.system((tx) =>
      tx.updateTable('organisations').set({ plan }).where('id', '=', id).execute(),
    )
    return person.inOrganisation(id)
  }

  /** Makes somebody a member of an organisation: invitations are not part of this server yet. */
  async addMember(
    person: ApiUser,
    organisation_id: string,
    role: 'admin' | 'member',
  ): Promise<ApiUser> {
    await this.database.system((tx) =>
      tx
        .insertInto('organisation_users')
        .values({
          organisation_id,
          id: uuidv7(),
          user_id: person.id,
          role,
          version: 1,
          created_at: this.now.toISOString(),
        })
        .execute(),
    )
    return person.inOrganisation(organisation_id)
  }
}

export class ApiUser {
  readonly id: string
  readonly email: string
  readonly tokens: Tokens
  readonly organisation: string
  readonly #world: ApiFixture
  readonly #app: Hono

  constructor(
    world: ApiFixture,
    who: { id: string; email: string; tokens: Tokens; organisation?: string },
    app = world.app,
  ) {
    this.#world = world
    this.#app = app
    this.id = who.id
    this.email = who.email
    this.tokens = who.tokens
    this.organisation = who.organisation ?? ''
  }

  /** The same person in that organisation. */
  inOrganisation(organisation: string): ApiUser {
    const { id, email, tokens } = this
    return new ApiUser(this.#world, { id, email, tokens, organisation })
  }

  /** The same person at another server. */
  atApp(app: Hono): ApiUser {
    return new ApiUser(this.#world, this, app)
  }

  /** The same person with other tokens. */
  withTokens(tokens: Tokens): ApiUser {
    const { id, email, organisation } = this
    return new ApiUser(this.#world, { id, email, tokens, organisation })
  }

  call(method: string, path: string, { body, headers }: CallOptions = {}): Promise<ApiResponse> {
    const who = {
      Authorization: `Bearer ${this.tokens.access_token}`,
      ...(this.organisation && { 'X-organisation': this.organisation }),
    }
    return this.#world.call(method, path, { body, headers: { ...who, ...headers } }, this.#app)
  }

  token(parameters: Record<string, unknown>): Promise<ApiResponse> {
    return this.#world.token(parameters, this.#app)
  }

  get(path: string): Promise<ApiResponse> {
    return this.call('GET', path)
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return this.call('POST', path, { body, headers })
  }

  /** A new project plan, which needs no account. */
  async createPlan(fields: Record<string, unknown> = {}): Promise<string> {
    const id = uuidv7()
    const body = { id, title: 'A plan', type: 'project', ...fields }
    const made = await this.post('/api/v1/success-plans', body)
    if (made.status !== 201) throw new Error(`The plan was refused: ${made.text}`)
    return id
  }
}
