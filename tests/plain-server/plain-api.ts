// A server that implements the specification and nothing else: Laravel's shapes, ids made by the server,
// no keys, no versions, no `changes`, no `events`. In memory.
import { randomBytes, randomUUID } from 'node:crypto'
import { readQuery } from '../../contract/query-string.ts'
import { listBody, pageOf } from './plain-pages.ts'
import { PLAIN, type PlainOptions } from './plain-options.ts'
import { IDS, PlainRecords, REQUIRED, fill, type PlainRecord, type Table } from './plain-records.ts'
import { isRoute } from './plain-routes.ts'
import { seedRecords } from './plain-seed.ts'
import { PlainTokens, type PlainUser } from './plain-tokens.ts'

export interface PlainRequest {
  method: string
  /** Path and query. */
  url: string
  /** Names in any case. */
  headers: Record<string, string | undefined>
  body?: string | undefined
}

export interface PlainAnswer {
  status: number
  headers: Record<string, string>
  text: string
}

/** A request as it arrived, and the status of its answer. */
export interface SeenRequest extends PlainRequest {
  path: string
  status: number
}

/** Which requests. */
export interface RequestPattern {
  method?: string
  path: RegExp
}

type Body = Record<string, unknown>

/** Where tokens and UUIDs come from. */
export interface PlainNames {
  newToken: () => string
  newUuid: () => string
}
const RANDOM_NAMES: PlainNames = {
  newToken: () => randomBytes(24).toString('hex'),
  newUuid: () => randomUUID(),
}

/** A write that took effect. */
export interface PlainWrite {
  method: string
  table: Table
  /** As stored now. */
  record: PlainRecord
  /** As it was; undefined for a new record. */
  before: PlainRecord | undefined
  user: PlainUser
}

interface Context {
  user: PlainUser
  organisation_id: string
  body: Body
  query: Record<string, unknown>
}

const answerOf = (status: number, text = ''): PlainAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  text,
})
const failure = (status: number, message: string, more: object = {}) =>
  answerOf(status, JSON.stringify({ message, ...more }))
const notFound = () => failure(404, 'No query results for the requested model.')
const invalid = (field: string, message: string) =>
  failure(422, message, { errors: { [field]: [message] } })

export class PlainApi {
  readonly options: PlainOptions
  readonly records: PlainRecords
  readonly tokens: PlainTokens
  readonly users: PlainUser[] = []
  /** All requests so far, oldest first. */
  readonly requests: SeenRequest[] = []
  /** Called with each write to a record that takes effect. */
  onWrite: (write: PlainWrite) => void = () => undefined
  /** Creates are answered, and store nothing. */
  dropWrites = false
  readonly #refusals: (RequestPattern & { answer: PlainAnswer })[] = []
  readonly #consents = new Map<string, Body>()
  readonly #onboarding = new Map<string, Body>()

  /** `seed`: how many accounts and plans the organisation has. */
  constructor(
    options: Partial<PlainOptions> = {},
    seed = { accounts: 3, plans: 4 },
    { newToken, newUuid }: PlainNames = RANDOM_NAMES,
  ) {
    this.options = { ...PLAIN, ...options }
    this.records = new PlainRecords(this.options, newUuid)
    this.tokens = new PlainTokens(this.options, newToken)
    seedRecords(this, seed)
  }

  /** The requests with that method and path so far. */
  seen(method: string, path: RegExp): SeenRequest[] {
    return this.requests.filter((one) => one.method === method && path.test(one.path))
  }

  /** Refuses matching requests, with JSON unless `text` is HTML; returns the function that ends it. */
  refuse(pattern: RequestPattern, status: number, text = '{"message":"Refused."}'): () => void {
    const type = text.startsWith('<') ? 'text/html' : 'application/json'
    const rule = { ...pattern, answer: { status, headers: { 'content-type': type }, text } }
    this.#refusals.push(rule)
    return () => void this.#refusals.splice(this.#refusals.indexOf(rule), 1)
  }

  /** Answers one request. `now` in epoch milliseconds. */
  handle(request: PlainRequest, now = Date.now()): PlainAnswer {
    const [path = '', search = ''] = request.url.split('?')
    const answer = this.#answer(
      { ...request, headers: lowerCased(request.headers) },
      path,
      search,
      now,
    )
    this.requests.push({ ...request, path, status: answer.status })
    const { capabilities } = this.options
    if (capabilities === '') return answer
    return { ...answer, headers: { ...answer.headers, 'cairn-capabilities': capabilities } }
  }

  #answer(request: PlainRequest, path: string, search: string, now: number): PlainAnswer {
    const { method, headers } = request
    const found = this.#refusals.find((one) => isMatch(one, method, path))
    if (found) return found.answer
    const body = parseBody(request.body)
    if (path === '/oauth/token' && method === 'POST') {
      const issued = this.tokens.issue(body, this.users, now)
      return answerOf(issued.status, JSON.stringify(issued.body))
    }
    const parts = path.split('/').slice(1)
    if (parts[0] !== 'api' || parts[1] !== 'v1') return this.#unknownRoute(path)
    const [noun = '', ...rest] = parts.slice(2).map(decodeURIComponent)
    if (noun === 'register' && method === 'POST') return this.#register(body)
    const user = this.tokens.userOf(headers.authorization, now)
    const context = {
      user,
      organisation_id: headers['x-organisation'] ?? '',
      body,
      query: readQuery(search),
    }
    if (!isRoute(method, noun, rest)) return this.#unknownRoute(path)
    if (!user) return failure(401, 'Unauthenticated.')
    const own = this.#ownRoute(method, noun, rest, { ...context, user })
    if (own) return own
    if (!this.#isMember(user, context.organisation_id))
      return failure(context.organisation_id === '' ? 400 : 403, 'This action is unauthorized.')
    if (headers['if-match'] !== undefined && this.options.ifMatch === 'refused')
      return failure(412, 'Precondition Failed')
    if (noun === 'subscriptions') return this.#subscription(method, rest)
    if (noun === 'organisation-invites')
      return answerOf(201, '{"data":{"id":1,"email":"x@y.test"}}')
    return this.#resource(method, noun as Table, rest, { ...context, user }, now)
  }

  #unknownRoute(path: string): PlainAnswer {
    const { unknownRoutes: status } = this.options
    const messages = {
      401: 'Unauthenticated.',
      403: 'Missing Authentication Token',
      404: `The route ${path.slice(1)} could not be found.`,
      405: 'The GET method is not supported for this route.',
      410: 'This part of the API was removed.',
      422: 'The given data was invalid.',
      501: 'Not Implemented',
    }
    return failure(status, messages[status])
  }

  /** Routes of the user, with or without an organisation. */
  #ownRoute(method: string, noun: string, rest: string[], context: Context) {
    const { user, body } = context
    if (noun === 'userinfo') {
      if (method === 'PUT') Object.assign(user, pick(body, ['name', 'email', 'timezone']))
      const { password: _, ...shown } = user
      return answerOf(200, this.#json({ data: this.records.present('users', { ...shown }) }))
    }
    if (noun === 'verify-token') return failure(422, 'This link is not valid.')
    if (noun === 'notification-consents' || noun === 'onboarding') {
      const stored = noun === 'onboarding' ? this.#onboarding : this.#consents
      if (method !== 'GET') stored.set(user.id, { ...stored.get(user.id), ...body })
      return answerOf(200, this.#json({ data: stored.get(user.id) ?? {} }))
    }
    const { tables } = this.records
    if (noun === 'leave-organisation') {
      tables['organisation-users'] = tables['organisation-users'].filter(
        (one) => one.user_id !== user.id || one.organisation_id !== String(body.organisation_id),
      )
      return answerOf(204)
    }
    if (noun !== 'organisations') return undefined
    return this.#organisations(method, rest[0], context)
  }

  #organisations(method: string, id: string | undefined, context: Context): PlainAnswer {
    const { organisations } = this.records.tables
    const own = organisations.filter((one) => this.#isMember(context.user, one.id))
    if (id === undefined && method === 'GET') return this.#page('organisations', own, context)
    if (id === undefined) {
      const { id: organisation_id } = this.addOrganisation(context.user, String(context.body.name))
      const added = organisations.find((one) => one.id === organisation_id)
      return answerOf(
        201,
        this.#json({ data: added && this.records.present('organisations', added) }),
      )
    }
    const found = own.find((one) => one.id === id)
    return found ? this.#change(method, 'organisations', found, context) : notFound()
  }

  /** An organisation with that user as its owner. */
  addOrganisation(owner: PlainUser, name: string): PlainRecord {
    const { tables } = this.records
    const organisation = {
      id: this.records.newId('organisations'),
      name,
      user_id: owner.id,
      website: null,
      currency: 'USD',
      members_count: 1,
      pivot: { role: 'admin' },
    }
    tables.organisations.push(organisation)
    this.addMember(organisation, owner)
    return organisation
  }

  /** Makes that user an admin of an organisation. */
  addMember(organisation: PlainRecord, user: PlainUser): void {
    this.records.tables['organisation-users'].push({
      id: this.records.newId('organisation-users'),
      organisation_id: organisation.id,
      user_id: user.id,
      name: user.name,
      email: user.email,
      pivot: { role: 'admin' },
    })
  }

  #resource(
    method: string,
    noun: Table,
    [id, part]: string[],
    context: Context,
    now: number,
  ): PlainAnswer {
    const { tables } = this.records
    const { organisation_id, body } = context
    const within = (table: Table) =>
      tables[table].filter((one) => one.organisation_id === organisation_id)
    if (part === 'updates') {
      if (!within('success-plans').some((one) => one.id === id)) return notFound()
      if (method === 'POST') return this.#create('updates', { ...context, plan_id: id }, now)
      const updates = within('updates').filter((one) => one.success_plan_id === id)
      return this.#page('updates', updates.toReversed(), context)
    }
    if (method === 'POST') return this.#create(noun, context, now)
    // Actions are changed with the id in the body.
    const target = id ?? (method === 'PUT' ? String(body.id) : undefined)
    if (target === undefined)
      return this.#page(noun, this.#filtered(within(noun), context), context)
    const found = within(noun).find((one) => one.id === target)
    return found ? this.#change(method, noun, found, context) : notFound()
  }

  #filtered(records: PlainRecord[], { query }: Context): PlainRecord[] {
    const { title } = (query.filters ?? {}) as { title?: string }
    const present = records.filter((one) => !one.deleted_at)
    if (title === undefined) return present
    return present.filter((one) => String(one.title).toLowerCase().includes(title.toLowerCase()))
  }

  #create(table: Table, context: Context & { plan_id?: string | undefined }, now: number) {
    const { body, user, organisation_id, plan_id } = context
    const required = REQUIRED[table] ?? ''
    if (typeof body[required] !== 'string' || body[required] === '')
      return invalid(required, `The ${required} field is required.`)
    const refused = this.#refusedId(body) ?? this.#refusedContact(body, {})
    if (refused) return refused
    const stored = this.records.tables[table]
    const isOwnId = this.options.clientIds === 'unique' && typeof body.id === 'string'
    if (isOwnId && stored.some((one) => one.id === body.id))
      return failure(500, 'SQLSTATE[23505]: Unique violation')
    const at = new Date(now).toISOString()
    const record: PlainRecord = {
      ...this.#filled(table, body),
      id: isOwnId ? String(body.id) : this.records.newId(table),
      organisation_id,
      ...(plan_id !== undefined && { success_plan_id: plan_id, user_id: user.id }),
      ...(table === 'success-plans' && { status: body.status ?? 'planned' }),
      created_by: user.id,
      created_at: at,
      updated_at: at,
    }
    if (!this.dropWrites) {
      stored.push(record)
      this.onWrite({ method: 'POST', table, record, before: undefined, user })
    }
    return this.#written(201, table, record)
  }

  #change(method: string, table: Table, record: PlainRecord, { body, user }: Context): PlainAnswer {
    if (method === 'GET')
      return answerOf(200, this.#json({ data: this.records.present(table, record) }))
    const { tables } = this.records
    if (method === 'DELETE') {
      const { deletions } = this.options
      if (deletions === 'denied') return answerOf(200, DENIED)
      if (deletions === 'soft') record.deleted_at = '2026-03-02T09:00:00.000000Z'
      if (deletions !== 'made') return answerOf(204)
      tables[table] = tables[table].filter((one) => one !== record)
      if (this.options.children === 'deleted') this.records.deleteChildren(table, record.id)
      this.onWrite({ method, table, record, before: { ...record }, user })
      return answerOf(204)
    }
    const refused = this.#refusedId(body) ?? this.#refusedContact(body, record)
    if (refused) return refused
    const changes = this.#filled(table, body)
    const before = { ...record }
    if (method === 'PUT' && this.options.put === 'replaces')
      for (const name of Object.keys(fillableOf(table, record))) record[name] = null
    Object.assign(record, changes)
    this.onWrite({ method, table, record, before, user })
    return this.#written(200, table, record)
  }

  /** Some frameworks take no text for a number. */
  #refusedId(body: Record<string, unknown>): PlainAnswer | undefined {
    if (this.options.idsInText === 'taken') return undefined
    const found = Object.entries(body).find(
      ([name, value]) => IDS.test(name) && typeof value === 'string',
    )
    return found && invalid(found[0], `The ${found[0]} field must be an integer.`)
  }

  /** A contact with an id that this server has not made for the record. */
  #refusedContact(body: Body, record: Body): PlainAnswer | undefined {
    if (this.options.contactIds === 'stored') return undefined
    // Ids may come as numbers or as strings.
    const textOf = (id: unknown) => JSON.stringify(id).replaceAll('"', '')
    const known = contactsIn(record).map(({ id }) => textOf(id))
    const at = contactsIn(body).findIndex(
      ({ id }) => id !== undefined && !known.includes(textOf(id)),
    )
    return at === -1 ? undefined : invalid(`contacts.${at}.id`, 'The selected id is invalid.')
  }

  #filled(table: Table, body: Body): Body {
    const fields = fill(table, body, this.options)
    if (this.options.contactIds === 'stored' || !Array.isArray(fields.contacts)) return fields
    const contacts = contactsIn(fields).map((one) => ({
      ...one,
      id: Number(one.id ?? this.records.newId('contacts')),
    }))
    return { ...fields, contacts }
  }

  #written(status: number, table: Table, record: PlainRecord): PlainAnswer {
    const { writes } = this.options
    if (writes === 'empty') return answerOf(204)
    if (writes === 'message') return answerOf(200, '{"message":"ok"}')
    const shown = this.records.present(table, record)
    return answerOf(status, this.#json({ data: writes === 'id' ? { id: shown.id } : shown }))
  }

  #page(table: Table, records: PlainRecord[], { query }: Context): PlainAnswer {
    if (query.per_page !== undefined && this.options.perPage === 'refused')
      return invalid('per_page', 'The per page field is prohibited.')
    const page = pageOf(records, query, this.options, `/api/v1/${table}`)
    const data = page.records.map((one) => this.records.present(table, one))
    const around = this.options.withoutMeta ? {} : page.around
    return answerOf(200, this.#json(listBody(data, around, this.options.lists)))
  }

  #subscription(method: string, [part]: string[]): PlainAnswer {
    if (part === 'customer-portal') return answerOf(200, '{"url":"http://127.0.0.1/portal"}')
    return method === 'DELETE' ? answerOf(204) : answerOf(200, '{"data":{"plan":"free"}}')
  }

  #register(body: Body): PlainAnswer {
    if (this.users.some(({ email }) => email === body.email))
      return invalid('email', 'The email has already been taken.')
    const user = this.addUser(String(body.name), String(body.email), String(body.password))
    const { password: _, ...shown } = user
    return answerOf(201, this.#json({ data: this.records.present('users', { ...shown }) }))
  }

  addUser(name: string, email: string, password: string): PlainUser {
    const id = this.records.newId('users')
    const user = { id, name, email, password, superadmin: false, timezone: 'UTC' }
    this.users.push(user)
    return user
  }

  #isMember({ id }: PlainUser, organisation_id: string): boolean {
    return this.records.tables['organisation-users'].some(
      (one) => one.user_id === id && one.organisation_id === organisation_id,
    )
  }

  #json(body: unknown): string {
    return this.records.write(body)
  }
}

export const isMatch = (pattern: RequestPattern, method: string, path: string) =>
  (pattern.method === undefined || pattern.method === method) && pattern.path.test(path)

const fillableOf = (table: Table, record: PlainRecord) =>
  fill(table, record, { ...PLAIN, text: 'unchanged' })

const DENIED = '{"success":false,"message":"It has plans."}'
const contactsIn = ({ contacts }: Body): Body[] => (contacts as Body[] | undefined) ?? []

const pick = (body: Body, names: readonly string[]) =>
  Object.fromEntries(
    names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  )

const lowerCased = (headers: PlainRequest['headers']) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Ids that JavaScript cannot hold as numbers become strings. */
export function parseBody(text: string | undefined): Body {
  if (text === undefined || text === '') return {}
  return JSON.parse(text.replaceAll(/("(?:\w+_)?id":)(\d{16,})/g, '$1"$2"')) as Body
}
