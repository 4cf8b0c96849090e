// The second server model: the plain server of the tests, with two users, two organisations and a clock of
// the simulation. It may learn and forget what goes beyond the specification while the story runs.
import type { NetworkRequest } from '../../../../src/sync/core/ports.ts'
import { parseBody, PlainApi, type PlainWrite } from '../../../plain-server/plain-api.ts'
import type { PlainOptions } from '../../../plain-server/plain-options.ts'
import type { PlainRecord, Table } from '../../../plain-server/plain-records.ts'
import type { PlainUser } from '../../../plain-server/plain-tokens.ts'
import type { ServerAnswer } from '../model-tenant.ts'

/** A write that took effect, and the request that caused it. */
export interface PlainEffect extends PlainWrite {
  request: NetworkRequest
}

/** A server that gives up keys honours them until every device has had the time to notice. */
const KEYS_LINGER_MS = 6 * 60_000
/** Of what is written elsewhere; the app cannot read an update without it. */
const WRITTEN_AT = '2026-03-01T09:00:00.000Z'
const PASSWORD = 'a plain password'
/** The tables that hold an organisation. */
const TABLES = ['accounts', 'success-plans', 'updates', 'initiatives', 'actions'] as const

/** What a server that counts no versions does not show. */
const WITHOUT_VERSIONS = Object.fromEntries(
  TABLES.map((table) => [table, ['version', 'success_plan_version']]),
)

/** A plain server with two users, both members of two organisations. `newName` makes its tokens and UUIDs. */
export function plainApi(options: Partial<PlainOptions>, newName: () => string): PlainApi {
  const api = new PlainApi(
    { children: 'deleted', ...options },
    { accounts: 2, plans: 2 },
    { newToken: newName, newUuid: newName },
  )
  const [ana] = api.users
  const [north] = api.records.tables.organisations
  if (!ana || !north) throw new Error('The plain server has no records.')
  const ben = api.addUser('Ben Plain', 'ben@plain.test', PASSWORD)
  const south = api.addOrganisation(ben, 'South')
  api.addMember(north, ben)
  api.addMember(south, ana)
  const put = (table: Table, fields: Record<string, unknown>) =>
    api.records.tables[table].push({
      id: api.records.newId(table),
      organisation_id: south.id,
      ...fields,
    })
  put('accounts', { name: 'Account South' })
  put('success-plans', { title: 'Plan South', status: 'in-progress', progress: 7 })
  return api
}

export class PlainModel {
  readonly name: string
  readonly api: PlainApi
  readonly organisations: readonly string[]
  /** All capabilities that it has announced so far. */
  readonly announced = new Set<string>()
  /** When another person has edited a record last. */
  readonly editedAt = new WeakMap<PlainRecord, number>()
  /** The ids of all records that devices have made here, also of those that are gone. */
  readonly madeIds = new Set<string>()
  /** Called with each write of a device that takes effect. */
  onEffect: (effect: PlainEffect) => void = () => undefined
  /** How long it recognises a repeat by its key, in seconds; it does not say so where that is without end. */
  keyLifetimeSeconds = Infinity
  /** By user and key. */
  readonly #answers = new Map<string, { answer: ServerAnswer; until: number }>()
  /** By request: a network that delivers it again once its key is forgotten. */
  readonly #served = new WeakMap<NetworkRequest, ServerAnswer>()
  #keysUntil = 0
  #names = 0
  #request: NetworkRequest | undefined
  #edits = 0
  /** The last version that was given. */
  #versions = 0

  constructor(name: string, options: Partial<PlainOptions>) {
    this.name = name
    const newName = () => `${name}-${(this.#names += 1)}`
    this.api = plainApi(options, newName)
    this.organisations = this.api.records.tables.organisations.map(({ id }) => id)
    for (const table of TABLES) for (const one of this.api.records.tables[table]) this.#touch(one)
    this.announce('')
    this.api.onWrite = (write) => {
      this.#touch(write.record)
      if (write.table === 'updates') this.#takeEffects(write)
      if (write.method === 'POST') this.madeIds.add(write.record.id)
      if (this.#request) this.onEffect({ ...write, request: this.#request })
    }
  }

  /** The server has keys, and says for how long. */
  forgetKeysAfter(seconds: number): void {
    this.keyLifetimeSeconds = seconds
    this.announce('keys')
  }

  get users(): readonly PlainUser[] {
    return this.api.users
  }

  /** The credentials of a user, for the password grant. */
  credentials(user_id: string) {
    const { email = '', password = '' } = this.users.find(({ id }) => id === user_id) ?? {}
    return { grant_type: 'password' as const, username: email, password }
  }

  /** From now on the server has these capabilities, and says so. Keys are honoured for a while longer. */
  announce(list: string, now = 0): void {
    if (this.has('keys')) this.#keysUntil = now + KEYS_LINGER_MS
    const seconds = this.keyLifetimeSeconds
    const named = seconds === Infinity ? list : list.replace('keys', `keys=${seconds}`)
    this.api.options.capabilities = named
    this.api.options.clientIds = this.has('ids') ? 'unique' : 'ignored'
    this.api.options.unknownFields = this.has('versions') ? {} : WITHOUT_VERSIONS
    for (const name of list.split(', ')) this.announced.add(name)
  }

  /** A server whose PUT replaces the whole record never says that parts are enough. */
  canHave(list: string): boolean {
    return !list.includes('partial') || this.api.options.put === 'merges'
  }

  has(name: string): boolean {
    return this.api.options.capabilities.split(', ').some((one) => one.split('=')[0] === name)
  }

  /** While they are hidden, the first record of each kind has no title. Other oddities of the server stay. */
  hideTitles(isHidden: boolean): void {
    const { 'null-titles': _, ...own } = this.api.options.oddities
    this.api.options.oddities = { ...own, ...(isHidden && { 'null-titles': 'first' }) }
  }

  /** Answers one request of a device. */
  handle(request: NetworkRequest, now: number): ServerAnswer {
    const hasKeys = this.has('keys') || now < this.#keysUntil
    const key = hasKeys ? request.headers['Idempotency-Key'] : undefined
    const name = `${this.api.tokens.userOf(request.headers.Authorization, now)?.id} ${key}`
    const known = key === undefined ? undefined : this.#answers.get(name)
    const served = known && now < known.until ? known.answer : this.#served.get(request)
    if (served) this.#served.set(request, served)
    if (served) return served
    this.#request = request
    const { status, headers, text } = this.#mismatch(request, now) ?? this.api.handle(request, now)
    this.#request = undefined
    const answer = { status, headers, text }
    if (key === undefined || status >= 300) return answer
    this.#answers.set(name, { answer, until: now + this.keyLifetimeSeconds * 1_000 })
    this.#served.set(request, answer)
    return answer
  }

  /**
   * 412 where the record has another version than the request names; undefined for any other request, and before
   * the server has ever counted versions.
   */
  #mismatch({ method, url, headers, body }: NetworkRequest, now: number): ServerAnswer | undefined {
    const match = headers['If-Match']
    if (match === undefined || method === 'GET' || !this.announced.has('versions')) return undefined
    const [noun = '', id = parseBody(body).id] = url.split('/').slice(3)
    const table = noun as Table
    // That of an action is in the body, as a number where the server counts.
    const record = this.api.records.tables[table].find((one) => one.id === String(id))
    const isSignedIn = this.api.tokens.userOf(headers.Authorization, now) !== undefined
    if (!record || !isSignedIn) return undefined
    if (match === `"${String(record.version)}"`) return undefined
    const body412 = { message: 'It has changed.', data: this.api.records.present(table, record) }
    const { capabilities } = this.api.options
    return {
      status: 412,
      headers: { 'content-type': 'application/json', 'cairn-capabilities': capabilities },
      text: this.api.records.write(body412),
    }
  }

  /** A version is given to a record with each change, whether the server says so or not. */
  #touch(record: PlainRecord): void {
    record.version = this.#versions += 1
  }

  /** The progress that an update brings to its plan, where the server has `effects`. */
  #takeEffects({ record }: PlainWrite): void {
    const { progress } = JSON.parse(this.#request?.body ?? '{}') as { progress?: number }
    const plan = this.api.records.tables['success-plans'].find(
      ({ id }) => id === record.success_plan_id,
    )
    if (progress === undefined || !plan || !this.has('effects')) return
    Object.assign(record, { progress_from: plan.progress, progress_to: progress })
    plan.progress = progress
    this.#touch(plan)
    record.success_plan_version = plan.version
  }

  records(table: Table, organisation_id: string): PlainRecord[] {
    return this.api.records.tables[table].filter((one) => one.organisation_id === organisation_id)
  }

  /** Whether a record with that id is in the table. */
  isThere(table: Table, id: string): boolean {
    return this.api.records.tables[table].some((one) => one.id === id)
  }

  /** Another user, who is always online, gives a record another text. */
  editAsAnother(table: Table, record: PlainRecord, now: number): void {
    this.#edits += 1
    this.editedAt.set(record, now)
    const field = table === 'accounts' ? 'name' : table === 'updates' ? 'body' : 'title'
    record[field] = `elsewhere ${this.#edits}`
    this.#touch(record)
  }

  /** A colleague writes an update or makes a plan elsewhere. */
  createElsewhere(organisation_id: string, plan_id: string | undefined, user_id: string): void {
    this.#edits += 1
    const table = plan_id === undefined ? 'success-plans' : 'updates'
    const text = `elsewhere ${this.name} ${this.#edits}`
    this.api.records.tables[table].push({
      id: this.api.records.newId(table),
      version: (this.#versions += 1),
      organisation_id,
      created_by: user_id,
      created_at: WRITTEN_AT,
      ...(plan_id === undefined
        ? { title: text, status: 'planned', progress: 0 }
        : { body: text, success_plan_id: plan_id, user_id, written_at: WRITTEN_AT }),
    })
  }

  /** Another user deletes a plan with all that belongs to it. */
  deletePlan(id: string): void {
    const { tables } = this.api.records
    for (const table of TABLES)
      tables[table] = tables[table].filter(
        (one) => one.success_plan_id !== id && (table !== 'success-plans' || one.id !== id),
      )
  }
}
