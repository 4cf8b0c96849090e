// The observer of the plain simulation. What a user says is known by its words alone, since the server
// gives ids of its own and has no keys: said so often, it must be there so often, and no more.
import { upcast, type Operation } from '../../../../src/sync/core/operation.ts'
import type { NetworkRequest } from '../../../../src/sync/core/ports.ts'
import { SESSION_KEY, type StoredSession } from '../../../../src/sync/core/session-store.ts'
import { Removals } from '../ledger/removals.ts'
import { TokenLog } from '../ledger/token-log.ts'
import type { PlainRecord } from '../../../plain-server/plain-records.ts'
import type { ServerAnswer } from '../model-tenant.ts'
import {
  DEVICE_ID,
  type SimulatedEnvironment,
  type SimulatedProcess,
} from '../simulated-environment.ts'
import type { Change } from '../simulated-storage.ts'
import { AttemptLimits } from './attempt-limits.ts'
import { cleaned } from './cleaned-text.ts'
import { checkCopies, tableOf } from './copy-log.ts'
import { isDeletion, PlainDeletions, WINDOW_MS } from './plain-deletions.ts'
import { PlainEdits } from './plain-edits.ts'
import type { PlainEffect, PlainModel } from './plain-model.ts'

type Fields = Record<string, unknown>

/** What users have said with the same words, to the same record. */
export interface Said {
  text: string
  isCreate: boolean
  user_id: string
  organisation_id: string | null
  api: string
  lane: string
  /** Its place among what this device has said. */
  order: number
  /** How often it was said, and shown as saved. */
  said: number
  confirmed: number
  /** How often a person has had it sent once more, and taken it back. */
  repeated: number
  discarded: number
  discardedAt: number
  acknowledged: number
  /** The requests that took effect, and how often: a network may deliver one twice. */
  effective: Set<NetworkRequest>
  records: number
  /** The record that it has made first; a network that delivers it twice makes another one. */
  first?: PlainRecord
  /** It was refused or asked about: its place no longer counts. */
  wasAsked: boolean
  /** Other words have taken its place on the server. A request that is delivered late may bring it back. */
  wasReplaced?: true
  /** The context that has its 2xx answer, until that is stored. */
  heardBy: SimulatedProcess | undefined
  isNoted: boolean
  /** By field of the record: the words of its parent, or its id on the server. */
  parents: Fields
}

/** So long at most a context takes from reading the outbox until its request leaves. */
const LAST_LOOK_MS = 20

const TEXTS = ['body', 'title', 'name', 'description'] as const
const PARENTS = ['account_id', 'success_plan_id', 'initiative_id'] as const

/** The words of a body, without those of the fields beside, by which they are known everywhere. */
export function textOf(body: unknown): string | undefined {
  const fields = (body ?? {}) as Fields
  const name = TEXTS.find((one) => typeof fields[one] === 'string' && fields[one] !== '')
  return name && cleaned(String(fields[name]))
}

const isAcknowledgement = ({ table, before, after }: Change): boolean =>
  table === 'operations' &&
  upcast(after)?.state === 'acknowledged' &&
  upcast(before)?.state === 'pending'

export class PlainLedger {
  readonly said = new Map<string, Said>()
  readonly tokens: TokenLog
  readonly removals = new Removals()
  readonly limits: AttemptLimits
  readonly deletions: PlainDeletions
  readonly edits: PlainEdits
  /** All requests: who asked for what, and when. */
  readonly requests: { at: number; by: string; what: string }[] = []
  evictions = 0
  /** Called when a context has stored that an operation arrived. */
  onAcknowledged: (owner: SimulatedProcess) => void = () => undefined
  readonly #world: SimulatedEnvironment
  readonly #device: string
  readonly #models: () => readonly PlainModel[]
  /** Words that a form is being saved with. */
  readonly #expected = new Map<string, number>()
  /** Ids that were sent with a create, to a server that had announced to take them. */
  readonly #ownIds = new Set<string>()
  /** Ids of this device that creates were sent under: one that a gateway answers has reached no server. */
  readonly #sentIds = new Set<string>()
  /** By server, table and id of a record, which may be gone by now: the words that it was made with. */
  readonly #madeWith = new Map<string, string>()
  /** By request: the records that it has made. */
  readonly #made = new WeakMap<NetworkRequest, PlainRecord[]>()
  /** Requests that were answered with a refusal. */
  readonly #refused = new WeakSet<NetworkRequest>()
  readonly #delivered = new WeakSet<NetworkRequest>()
  /** By record and field: when another device has set it last. */
  readonly #setElsewhere = new WeakMap<PlainRecord, Map<string, number>>()
  readonly #localIds = new Map<string, string>()
  readonly #lanes = new Map<string, number>()

  constructor(
    world: SimulatedEnvironment,
    device: string,
    models: () => readonly PlainModel[],
    api: () => string,
  ) {
    this.#world = world
    this.#device = device
    this.#models = models
    this.tokens = new TokenLog(world, (bound) => bound === undefined || bound === api())
    this.limits = new AttemptLimits(world)
    this.deletions = new PlainDeletions(world, models)
    this.edits = new PlainEdits(world)
  }

  get session(): StoredSession['session'] {
    return this.tokens.session
  }

  get counts() {
    const all = [...this.said.values()]
    const sum = (count: (one: Said) => number) => all.reduce((total, one) => total + count(one), 0)
    return {
      confirmed: sum(({ confirmed }) => confirmed),
      applied: sum(({ records }) => records),
      asked: all.filter(({ wasAsked }) => wasAsked).length,
    }
  }

  /** A form is saved with these words. */
  expect(body: unknown): void {
    const text = textOf(body)
    if (text !== undefined) this.#expected.set(text, (this.#expected.get(text) ?? 0) + 1)
  }

  /** The screen showed "Saved on this device". */
  confirm(operation: Operation): void {
    this.deletions.confirm(operation)
    const said = this.#saidIn(operation.input.body)
    if (said) said.confirmed += 1
  }

  #saidIn(body: unknown): Said | undefined {
    return this.said.get(textOf(body) ?? '')
  }

  /** A context has died: what it has heard is lost. */
  died(owner: SimulatedProcess): void {
    for (const one of this.said.values()) if (one.heardBy === owner) one.heardBy = undefined
  }

  transactionCommitted(
    owner: SimulatedProcess,
    changes: readonly Change[],
    keys: () => readonly unknown[],
  ): void {
    for (const change of changes) {
      if (change.table === 'operations') this.#operationChanged(owner, change, changes)
      if (isAcknowledgement(change)) this.onAcknowledged(owner)
      if (change.table === 'session' && change.key === SESSION_KEY)
        if (this.tokens.sessionChanged(owner, change.after as StoredSession)) this.evictions += 1
    }
    const user_id = this.session?.user.id
    for (const { table, key, after } of changes)
      if (table === 'cache' && after !== undefined && key[0] !== user_id)
        this.#world.fail('I6', `${owner.name} wrote ${String(key)} while ${user_id} was signed in`)
    if (changes.some(({ table, key }) => table === 'session' && key === SESSION_KEY))
      for (const key of keys())
        if ((key as string[])[0] !== user_id)
          this.#world.fail('I6', `${String(key)} is readable while ${user_id} is signed in`)
    const api = this.tokens.api
    const model = this.#models().find(({ name }) => name === api)
    if (model) checkCopies(this.#world, model, changes)
  }

  #operationChanged(owner: SimulatedProcess, change: Change, changes: readonly Change[]): void {
    const was = upcast(change.before)
    const is = upcast(change.after)
    const stored = changes.map(({ after }) => upcast(after)).filter((one) => one !== undefined)
    this.deletions.changed(
      owner,
      was,
      is,
      () => was !== undefined && this.removals.allow(owner, was, stored),
    )
    if (!is && was && was.state !== 'acknowledged') this.edits.removed(was, stored)
    const text = textOf((is ?? was)?.input.body)
    if (is) {
      const isMade = !was && text !== undefined && (this.#expected.get(text) ?? 0) > 0
      if (isMade) {
        this.#addSaid(is, text)
        this.edits.stored(text, is.input.body)
      }
      const said = this.#saidIn(is.input.body)
      this.limits.stored(owner, was, is)
      // Used up by the create: no server shows it.
      if (is.last_error?.errors?.skip_weekends)
        this.#world.fail('I13', `skip_weekends is missed in a record, says ${is.id}`)
      this.#checkKept(is)
      if (!said) return
      // Where the answer could not be stored, the next that is stored is another attempt.
      if (said.heardBy === owner && is.attempts === was?.attempts) said.isNoted = true
      if (is.user_id !== said.user_id) this.#world.fail('I4', `“${text}” has another author`)
      if (is.state === 'attention') said.wasAsked = true
      if (is.state === 'attention' && was?.state !== 'attention') {
        this.#world.log(owner.name, () => `“${text}” needs attention: ${is.last_error?.message}`)
        if (!said.isCreate && is.last_error?.status === 404 && this.#hasRecordOf(is))
          this.#world.fail('I13', `“${text}” needs attention for a record that is there`)
      }
      if (is.state === 'acknowledged' && was?.state !== 'acknowledged') {
        said.acknowledged += 1
        if (said.acknowledged > (said.isCreate ? said.records : said.said))
          this.#world.fail('I1', `“${text}” is acknowledged and the server does not have it`)
        if (said.records === 0)
          this.#world.fail('I1', `“${text}” is acknowledged and never arrived`)
      }
    } else if (was && was.state !== 'acknowledged') this.#removed(owner, was, changes)
  }

  /** What the server has, cleaned or not, it has kept. Some leave out a title for a while. */
  #checkKept({ id, input, last_error }: Operation): void {
    if (last_error?.code !== 'not_kept') return
    const models = this.#models()
    if (models.some(({ api }) => api.options.oddities['null-titles'] !== undefined)) return
    const name = TEXTS.find((one) => one in (last_error.errors ?? {}))
    const text = cleaned(textOf(input.body) ?? '')
    const isThere = models.some(({ api }) =>
      Object.values(api.records.tables).some((table) =>
        table.some((one) => name !== undefined && cleaned(String(one[name])) === text),
      ),
    )
    if (isThere) this.#world.fail('I13', `${name} is said not to be kept, says ${id}`)
  }

  /**
   * Whether the server has the record of an edit, also where the edit names it by its local id. That of a create
   * that was discarded on this device is not known to be there.
   */
  #hasRecordOf(edit: Operation): boolean {
    const id = String(edit.input.path?.id ?? (edit.input.body as Fields).id)
    const table = tableOf(edit)
    const model = this.#models().find(({ name }) => name === edit.api)
    const made = this.said.get(this.#localIds.get(id) ?? '')
    if (table === undefined || (made?.discarded ?? 0) > 0) return false
    return model?.isThere(table, made?.first?.id ?? id) === true
  }

  #addSaid(operation: Operation, text: string): void {
    this.#expected.set(text, (this.#expected.get(text) ?? 0) - 1)
    const { input, user_id, organisation_id, api = '' } = operation
    const body = (input.body ?? {}) as Fields
    const known = this.said.get(text)
    this.#world.log(this.#device, () => `stores “${text}” as ${operation.id}`)
    if (known) known.said += 1
    const isCreate = !operation.endpoint.startsWith('update')
    if (isCreate && typeof body.id === 'string') this.#localIds.set(body.id, text)
    if (known) return
    const named: Fields = { ...body }
    if (operation.endpoint === 'postPlanUpdate') named.success_plan_id = input.path?.id
    const parents = Object.fromEntries(
      PARENTS.filter((name) => typeof named[name] === 'string').map((name) => [
        name,
        this.#thing(String(named[name]), name, api),
      ]),
    )
    const record = input.path?.id ?? (isCreate ? text : String(body.id))
    this.said.set(text, {
      text,
      isCreate,
      user_id,
      organisation_id,
      api,
      lane: `${this.#device} ${user_id} ${api} ${operation.endpoint.replace('postPlanUpdate', 'updateSuccessPlan')} ${this.#thing(record, operation.lane.split(':')[0] ?? '', api)}`,
      order: this.said.size,
      said: 1,
      confirmed: 0,
      repeated: 0,
      discarded: 0,
      discardedAt: -Infinity,
      acknowledged: 0,
      effective: new Set(),
      records: 0,
      wasAsked: false,
      heardBy: undefined,
      isNoted: false,
      parents: isCreate ? parents : {},
    })
  }

  /** What an id stands for: the words that its record was made with, else the id itself. */
  #thing(id: string, table: string, api: string): string {
    const name = /account/.test(table)
      ? 'accounts'
      : /initiative/.test(table)
        ? 'initiatives'
        : /action/.test(table)
          ? 'actions'
          : 'success-plans'
    return this.#localIds.get(id) ?? this.#madeWith.get(`${api} ${name} ${id}`) ?? id
  }

  #removed(owner: SimulatedProcess, was: Operation, changes: readonly Change[]): void {
    const text = textOf(was.input.body)
    const said = this.#saidIn(was.input.body)
    if (!said) return
    const stored = changes.map(({ after }) => upcast(after)).filter((one) => one !== undefined)
    if (stored.some((one) => textOf(one.input.body) === text && one.id !== was.id)) return
    this.#world.log(owner.name, () => `removes “${text}”, which was ${was.state}`)
    const isReplaced = [...this.said.values()].some(
      (one) => one.lane === said.lane && one.order > said.order && one.records > 0,
    )
    // Its author has deleted the record meanwhile.
    const isDeleted = stored.some(
      (one) => isDeletion(one) && one.state === 'acknowledged' && one.lane === was.lane,
    )
    const isAnswered = said.wasAsked && !said.isCreate && (isReplaced || isDeleted)
    if (this.removals.allow(owner, was, stored) || isAnswered) {
      said.discarded += 1
      said.discardedAt = this.#world.now
    } else if (said.records + said.discarded < said.said)
      this.#world.fail('I1', `“${text}” is gone and the server never had it`)
  }

  /** At the end. */
  checkRest(): void {
    this.deletions.checkRest()
    this.edits.checkRest((text) => {
      const said = this.said.get(text)
      return said !== undefined && said.confirmed > 0 && said.discarded === 0 && !said.wasAsked
    })
  }

  /** The person has decided that it is sent once more. */
  repeated({ id, input }: Operation): void {
    this.limits.asked(id)
    const said = this.#saidIn(input.body)
    if (!said) return
    said.repeated += 1
    said.isNoted = false
    said.heardBy = undefined
  }

  requestSent(owner: SimulatedProcess, request: NetworkRequest): void {
    this.requests.push({ at: this.#world.now, by: owner.name, what: request.url })
    this.tokens.requestSent(owner, request)
    this.deletions.sent(request, (word) => this.said.has(cleaned(String(word))))
    const { id } = request.method === 'POST' ? (JSON.parse(request.body || '{}') as Fields) : {}
    if (typeof id === 'string') this.#sentIds.add(id)
    const said = this.#saidOf(request)
    if (said?.heardBy === owner) said.heardBy = undefined
    if (!said || request.headers['Idempotency-Key'] !== undefined) return
    if (said.isNoted && said.said === 1)
      this.#world.fail('I11', `“${said.text}” is sent again though its answer was stored`)
    // What another context takes back while this one's last look at the outbox is delivered leaves all the same.
    const isTooLate = this.#world.now - said.discardedAt < LAST_LOOK_MS
    if (said.discarded >= said.said + said.repeated && said.records === 0 && !isTooLate)
      this.#world.fail('I2', `“${said.text}” is sent though it was taken back`)
  }

  /** What a write request says. A PUT of a whole record repeats what others have said. */
  #saidOf({ method, url, body }: NetworkRequest): Said | undefined {
    if (method === 'GET' || url === '/oauth/token' || body === undefined) return undefined
    const fields = JSON.parse(body) as Fields
    if (method === 'PUT') return undefined
    return this.#saidIn(fields)
  }

  responseCreated(
    owner: SimulatedProcess,
    request: NetworkRequest,
    { status, headers }: ServerAnswer,
  ): void {
    this.tokens.responseCreated(request, status)
    const said = this.#saidOf(request)
    const isPage = headers['content-type']?.startsWith('text/html') === true
    // No device can know that a network delivers again what the server has just refused.
    if (said && status >= 400 && status < 500 && !isPage) {
      this.#refused.add(request)
      said.effective.delete(request)
    }
    if (said && status < 300 && !isPage) said.heardBy = owner
  }

  /** A request reaches a server, for the first time or as a duplicate. */
  requestArrived(model: PlainModel, request: NetworkRequest): void {
    const { headers, method, url, body = '' } = request
    for (const [header, capability] of [
      ['Idempotency-Key', 'keys'],
      ['If-Match', 'versions'],
    ] as const)
      if (headers[header] !== undefined && !model.announced.has(capability))
        this.#world.fail('headers', `${method} ${url} has ${header}, which the server never named`)
    // It has no such call: none of its parts arrives.
    if (url.endsWith('/batch')) return
    const own = method === 'POST' ? (JSON.parse(body || '{}') as Fields).id : undefined
    for (const [id] of `${url} ${body}`.matchAll(DEVICE_ID)) {
      // Another tab may have taken back what made it.
      const isTakenBack = (this.said.get(this.#localIds.get(id) ?? '')?.discarded ?? 0) > 0
      // What an answer does not confirm is read under the id that it was sent with.
      if (id === own && model.announced.has('ids')) this.#ownIds.add(id)
      const isAskedFor = method === 'GET' && (this.#ownIds.has(id) || this.#sentIds.has(id))
      const isOwn = isAskedFor || (id === own && this.#ownIds.has(id))
      if (!model.madeIds.has(id) && !isTakenBack && !isOwn)
        this.#world.fail('alias', `${method} ${url} names ${id}, which the server does not know`)
    }
  }

  /** A write of this device took effect. */
  applied(model: PlainModel, effect: PlainEffect): void {
    this.edits.reached(effect)
    this.edits.applied(model, effect, (word) => this.said.has(cleaned(word)))
    const { method, record, before, table, user, request } = effect
    const names = TEXTS.filter((name) => record[name] !== before?.[name])
    const said = names.map((name) => this.said.get(cleaned(String(record[name])))).find(Boolean)
    if (method === 'POST' && said) {
      this.#madeWith.set(`${model.name} ${table} ${record.id}`, said.text)
      said.first ??= record
      this.#made.set(request, [...(this.#made.get(request) ?? []), record])
    }
    for (const name of names) {
      const was = this.said.get(cleaned(String(before?.[name])))
      if (was) was.wasReplaced = true
    }
    // What the network delivers once more takes back what was written since.
    if (method === 'PUT' && before && !this.#delivered.has(request))
      this.#checkWhole(before, record, request)
    this.#delivered.add(request)
    if (!said) return
    const { text } = said
    this.#world.log(model.name, () => `takes “${text}” from ${user.name} as ${table} ${record.id}`)
    said.records += 1
    if (!this.#refused.has(request)) said.effective.add(request)
    const { now } = this.#world
    // A record that another user deleted before its answer arrived is created again.
    const isThere = (one: PlainRecord) => model.isThere(table, one.id)
    const left = [...said.effective].filter((one) => this.#made.get(one)?.some(isThere)).length
    if (said.isCreate && left > said.said + said.repeated)
      this.#world.fail('I2', `“${text}” took effect ${left} times at ${now}`)
    if (user.id !== said.user_id) this.#world.fail('I4', `“${text}” is ${user.name}’s now`)
    if (record.organisation_id !== said.organisation_id)
      this.#world.fail('I5', `“${text}” went to ${String(record.organisation_id)}`)
    if (model.name !== said.api) this.#world.fail('API', `“${text}” went to ${model.name}`)
    for (const [name, parent] of Object.entries(said.parents))
      if (this.#thing(String(record[name]), name, model.name) !== parent)
        this.#world.fail(
          'alias',
          `“${text}” belongs to ${String(record[name])}, not to ${String(parent)}`,
        )
    if (said.records > 1 || said.wasAsked || said.discarded > 0) return
    if (this.#hasWaited(said)) return
    if (said.order < (this.#lanes.get(said.lane) ?? -1))
      this.#world.fail('I3', `“${text}” came after a later operation`)
    this.#lanes.set(said.lane, said.order)
  }

  /** Whether an edit waited for the answer to a question about an earlier one; what is behind it goes on. */
  #hasWaited({ isCreate, lane, order }: Said): boolean {
    if (isCreate) return false
    const before = [...this.said.values()].filter((one) => one.lane === lane && one.order < order)
    return before.some((one) => one.wasAsked && !one.isCreate)
  }

  /** A write of another device took effect. */
  appliedElsewhere({ record, before }: PlainEffect): void {
    this.edits.reached({ record })
    const set = this.#setElsewhere.get(record) ?? new Map<string, number>()
    this.#setElsewhere.set(record, set)
    for (const [name, value] of Object.entries(record))
      if (value !== before?.[name]) set.set(name, this.#world.now)
  }

  /**
   * A PUT replaces the record, and must not empty a field that no edit empties. It cannot have what another device
   * has set since the record was read: that window is known.
   */
  #checkWhole(before: Fields, record: PlainRecord, { body }: NetworkRequest): void {
    const asked = JSON.parse(body ?? '{}') as Fields
    const set = this.#setElsewhere.get(record)
    const isInWindow = (name: string) => (set?.get(name) ?? 0) > this.#world.now - WINDOW_MS
    for (const [name, value] of Object.entries(before))
      if (value !== null && value !== undefined && (record[name] ?? null) === null)
        if (!(name in asked) && !isInWindow(name))
          this.#world.fail('whole', `${name} of ${record.id} is lost by a PUT of a part`)
  }
}
