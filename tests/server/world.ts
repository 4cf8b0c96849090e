// A server in this process with a database in memory, a clock that tests move, and people who call it.
import { randomBytes } from 'node:crypto'
import type { Hono } from 'hono'
import { v7 as uuidv7 } from 'uuid'
import type { Tokens } from '../../contract/people.ts'
import { createApp, type AppOptions } from '../../server/app.ts'
import { appConfig } from '../../server/configuration.ts'
import { openDatabase, type Database } from '../../server/database.ts'
import { emptyImage } from './empty-image.ts'

export const PASSWORD = 'correct horse battery'
export const CLIENT = { client_id: 'cairn-app', client_secret: 'cairn-app-is-public', scope: '' }

export class Reply {
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
  get all() {
    return { status: this.status, body: this.json }
  }
}

export interface CallOptions {
  body?: unknown
  headers?: Record<string, string>
}

export class World {
  readonly app: Hono
  readonly database: Database
  readonly tokenKey: Buffer
  #now: number

  private constructor(database: Database, options: Partial<AppOptions>) {
    this.database = database
    this.tokenKey = randomBytes(32)
    this.#now = Date.parse('2026-03-02T09:00:00.000Z')
    this.app = this.appWith(options)
  }

  static async open(options: Partial<AppOptions> = {}): Promise<World> {
    return new World(await openDatabase(undefined, await emptyImage()), options)
  }

  /** Another server on the same database, clock and key. */
  appWith(options: Partial<AppOptions>): Hono {
    return createApp({
      database: this.database,
      config: appConfig({}),
      tokenKey: this.tokenKey,
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
  pass(time: { seconds?: number; minutes?: number; days?: number }): void {
    const { seconds = 0, minutes = 0, days = 0 } = time
    this.#now += ((days * 24 * 60 + minutes) * 60 + seconds) * 1000
  }

  async call(method: string, path: string, { body, headers }: CallOptions = {}): Promise<Reply> {
    const response = await this.app.request(path, {
      method,
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return new Reply(response, await response.text())
  }

  token(parameters: Record<string, unknown>): Promise<Reply> {
    return this.call('POST', '/oauth/token', { body: { ...CLIENT, ...parameters } })
  }

  signIn(email: string, password = PASSWORD): Promise<Reply> {
    return this.token({ grant_type: 'password', username: email, password })
  }

  /** Registers somebody and signs them in. */
  async person(name: string): Promise<Person> {
    const email = `${name.toLowerCase()}-${uuidv7()}@example.com`
    const registered = await this.call('POST', '/api/v1/register', {
      body: { name, email, password: PASSWORD, password_confirmation: PASSWORD },
    })
    const { id } = registered.data<{ id: string }>()
    const tokens = (await this.signIn(email)).json as unknown as Tokens
    return new Person(this, { id, email, tokens })
  }

  /**
   * Somebody with an organisation of their own, which they work in. It has the plan without limits
   * unless said otherwise: upgrading is not part of this server yet.
   */
  async owner(name: string, plan: 'free' | 'professional' = 'professional'): Promise<Person> {
    const person = await this.person(name)
    const created = await person.post('/api/v1/organisations', { name: `${name}’s organisation` })
    const { id } = created.data<{ id: string }>()
    await this.database.system((tx) =>
      tx.updateTable('organisations').set({ plan }).where('id', '=', id).execute(),
    )
    return person.in(id)
  }

  /** Makes somebody a member of an organisation: invitations are not part of this server yet. */
  async join(person: Person, organisation_id: string, role: 'admin' | 'member'): Promise<Person> {
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
    return person.in(organisation_id)
  }
}

export class Person {
  readonly id: string
  readonly email: string
  readonly tokens: Tokens
  readonly organisation: string
  readonly #world: World

  constructor(
    world: World,
    who: { id: string; email: string; tokens: Tokens; organisation?: string },
  ) {
    this.#world = world
    this.id = who.id
    this.email = who.email
    this.tokens = who.tokens
    this.organisation = who.organisation ?? ''
  }

  /** The same person in that organisation. */
  in(organisation: string): Person {
    const { id, email, tokens } = this
    return new Person(this.#world, { id, email, tokens, organisation })
  }

  /** The same person with other tokens. */
  with(tokens: Tokens): Person {
    const { id, email, organisation } = this
    return new Person(this.#world, { id, email, tokens, organisation })
  }

  call(method: string, path: string, { body, headers }: CallOptions = {}): Promise<Reply> {
    return this.#world.call(method, path, {
      body,
      headers: {
        Authorization: `Bearer ${this.tokens.access_token}`,
        ...(this.organisation && { 'X-organisation': this.organisation }),
        ...headers,
      },
    })
  }

  get(path: string): Promise<Reply> {
    return this.call('GET', path)
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    return this.call('POST', path, { body, headers })
  }

  /** A new project plan, which needs no account. */
  async plan(fields: Record<string, unknown> = {}): Promise<string> {
    const id = uuidv7()
    const body = { id, title: 'A plan', type: 'project', ...fields }
    const made = await this.post('/api/v1/success-plans', body)
    if (made.status !== 201) throw new Error(`The plan was refused: ${made.text}`)
    return id
  }
}
