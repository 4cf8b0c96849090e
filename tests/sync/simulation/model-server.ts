// A model of the API server in memory. `model-differs-from-server.test.ts` compares it with the real one.
import { DEFAULT_CONSENTS } from '../../../contract/schemas/settings.ts'
import { OWN_CAPABILITIES } from '../../../contract/capabilities.ts'
import type { NetworkRequest } from '../../../src/sync/core/ports.ts'
import {
  ModelTenant,
  errorResponse,
  json,
  type Collection,
  type ServerAnswer,
  type UpdateDraft,
} from './model-tenant.ts'
import { BATCH, answerBatch, type AnswerPart } from './model/batch.ts'
import { NEW_PLAN, isValid, namedIn, repeatedCreate, textOf } from './model/request-rules.ts'
import { answerDeletion, type Deletion } from './model/deletions.ts'
import { NEW_RECORDS, writeNested, type NestedCollection } from './model/nested-records.ts'
import { writeView } from './model/saved-views.ts'
import { isRefusedTransition, isRefusedUpdate } from './model/transitions.ts'
import { ModelTokens } from './model-tokens.ts'

/** Its pages come one by one. */
const CAPABILITIES = OWN_CAPABILITIES.replace('changes-stream, ', '')

/** A write that took effect, as the server understood it. */
export interface Effect {
  key: string | undefined
  user_id: string
  organisation_id: string | null
  /** The text by which a reader recognises it. */
  text: string
  /** The fields that it set in a record, and that record before. */
  set: Record<string, unknown>
  before: Record<string, unknown>
  /** The version of that record with the effect. */
  version?: number
  /** How often the database had moved. */
  moves: number
  deletion?: Deletion
}

type Body = Record<string, string | undefined>

export interface ServerSettings {
  access_life: number
  /** How long keys are remembered, in milliseconds: 30 days, unless the server is broken. */
  key_life: number
  page: number
  /** A page of `changes` announces where further pages begin. */
  announces_pages?: boolean
  /** The server has no `changes`. */
  lists_only?: boolean
  has_events?: boolean
  /** It takes batches, unless this is false. */
  has_batch?: boolean
  /** It confirms a new plan without the record, which another user edits at once. */
  edits_new_plans?: boolean
}

const FIRST_VERSION = 100_000
const USERINFO = '/api/v1/userinfo'
const CONSENTS = '/api/v1/notification-consents'
/** What belongs to a user, in no organisation. */
const OF_USER = new Set([USERINFO, CONSENTS])

export const USERS = ['ann', 'bob'] as const
export const ORGANISATIONS = ['north', 'south'] as const

/** Identifies a value of a plan's field. */
export const valueKey = (plan_id: string, field: string, value: unknown): string =>
  JSON.stringify([plan_id, field, value])

export class ModelServer {
  readonly tokens: ModelTokens
  readonly tenants = new Map<string, ModelTenant>()
  /** `user organisation` pairs whose membership is suspended. */
  readonly forbidden = new Set<string>()
  readonly deletedRecords = new Set<string>()
  /** By `valueKey`: the keys of the requests that set the value; undefined for another user's. */
  readonly setBy = new Map<string, Set<string | undefined>>()
  readonly settings: ServerSettings
  /** Called after each request and each action of another user. */
  readonly listeners = new Set<() => void>()
  readonly #applied: (effect: Effect) => void
  readonly #keys = new Map<string, { at: number; request: string; answer: ServerAnswer }>()
  readonly #users = new Map<string, Record<string, unknown>>()
  readonly #consents = new Map<string, Record<string, unknown>>(
    USERS.map((id) => [id, { ...DEFAULT_CONSENTS }]),
  )
  moves = 0
  #generatedIds = 0

  /** Calls `applied` for every write that takes effect. */
  constructor(settings: ServerSettings, applied: (effect: Effect) => void) {
    this.settings = settings
    this.#applied = applied
    this.tokens = new ModelTokens(settings.access_life)
    for (const id of USERS) this.#users.set(id, { id, name: id, email: `${id}@example.com` })
    for (const id of ORGANISATIONS) {
      const tenant = new ModelTenant(FIRST_VERSION)
      this.tenants.set(id, tenant)
      const created_by = USERS[0]
      const fields = { ...NEW_PLAN, status: 'in-progress', owner_id: created_by }
      for (const plan of [`${id}-1`, `${id}-2`])
        tenant.put('success_plans', { id: plan, title: plan, ...fields, created_by })
      const account = { id: `${id}-a`, name: `${id}-a`, ...NEW_RECORDS.accounts, created_by }
      tenant.put('accounts', account)
      for (const user_id of USERS) this.#putMember(id, tenant, user_id)
    }
  }

  #putMember(organisation_id: string, tenant: ModelTenant, user_id: string): void {
    const { name, email } = this.#users.get(user_id) ?? {}
    const id = `${organisation_id}-${user_id}`
    const pivot = { role: 'admin' }
    tenant.put('organisation_users', { id, organisation_id, user_id, name, email, pivot })
  }

  /** Another user deletes a plan with its updates. */
  deletePlan(organisation_id: string, id: string): void {
    for (const gone of this.tenants.get(organisation_id)?.deletePlan(id) ?? [])
      this.deletedRecords.add(gone)
    this.#publish()
  }

  /** Another user, who is always online, edits a plan. */
  editPlan(
    organisation_id: string,
    id: string,
    fields: Record<string, unknown>,
    now: number,
  ): void {
    const tenant = this.tenants.get(organisation_id)
    const plan = tenant?.records.success_plans.get(id)
    if (!plan || !tenant) return
    const { set } = tenant.editPlan(plan, fields, { ...this.#newUpdate(now), user_id: 'another' })
    this.#noteSet(id, set, undefined)
    this.#publish()
  }

  /** Another user edits an account, an initiative or an action. */
  editRecord(organisation_id: string, collection: Collection, id: string, fields: object): void {
    const tenant = this.tenants.get(organisation_id)
    const record = tenant?.records[collection].get(id)
    if (!record) return
    tenant?.put(collection, { ...record, ...fields }, 'another')
    this.#noteSet(id, { ...fields }, undefined)
    this.#publish()
  }

  #noteSet(record_id: string, set: Record<string, unknown>, key: string | undefined): void {
    for (const [field, value] of Object.entries(set)) {
      const place = valueKey(record_id, field, value)
      this.setBy.set(place, (this.setBy.get(place) ?? new Set()).add(key))
    }
  }

  /** Moves the data to another database, where versions start at another height. */
  moveToNewDatabase(): void {
    this.moves += 1
    // Alternately above and below the last one.
    const height = FIRST_VERSION + (this.moves % 2 ? -1 : 1) * 1_000 * this.moves
    for (const tenant of this.tenants.values()) tenant.renumber(height)
  }

  #publish(): void {
    for (const listener of this.listeners) listener()
  }

  /**
   * Answers one request. All or nothing, like a transaction; each operation of a batch is one. `now` in epoch
   * milliseconds.
   */
  handle(request: NetworkRequest, now: number, answerPart?: AnswerPart): ServerAnswer {
    const answer = this.#answer(request, now, answerPart)
    if (request.method !== 'GET') this.#publish()
    const announced =
      this.settings.has_batch === false ? CAPABILITIES.replace('batch, ', '') : CAPABILITIES
    const headers = { ...answer.headers, 'cairn-capabilities': announced }
    return { ...answer, headers }
  }

  #answer(request: NetworkRequest, now: number, answerPart?: AnswerPart): ServerAnswer {
    const [path = '', query = ''] = request.url.split('?')
    const body = JSON.parse(request.body ?? '{}') as Body
    if (path === '/healthz') return json(200, {})
    if (path === '/api/v1/revoke') {
      this.tokens.revoke(body.refresh_token)
      return { status: 204, headers: {}, text: '' }
    }
    if (path === '/oauth/token') {
      const answer = this.tokens.issue(body, now)
      return json(answer.status, answer.body)
    }
    const user_id = this.tokens.userOf(request.headers.Authorization, now)
    if (user_id === undefined) return errorResponse(401, 'Unauthenticated.')
    const ofUser = OF_USER.has(path)
    if (ofUser && request.method === 'GET')
      return json(200, { data: (path === USERINFO ? this.#users : this.#consents).get(user_id) })
    // It belongs to no organisation, whichever the request names.
    const organisation_id = ofUser ? undefined : request.headers['X-organisation']
    if (!ofUser && organisation_id === undefined) return errorResponse(400, 'No organisation.')
    const tenant = this.tenants.get(organisation_id ?? '')
    if (request.method === 'GET')
      return tenant ? this.#read(tenant, path, query) : errorResponse(403, 'You are not a member.')
    const isMember = tenant !== undefined && !this.forbidden.has(`${user_id} ${organisation_id}`)
    if (path === BATCH) {
      if (this.settings.has_batch === false) return errorResponse(404, 'Not found.')
      if (!isMember) return errorResponse(403, 'You are not a member.')
      return answerBatch(request, (part) => this.#answer(part, now), answerPart)
    }
    const key = request.headers['Idempotency-Key']
    // With a key, an answer from before the membership ended may be stored.
    if (!ofUser && !isMember && key === undefined)
      return errorResponse(403, 'You are not a member.')
    if (!isValid(request.method, path, body)) return errorResponse(422, 'That is not valid.')
    return this.#idempotent(request, { user_id, organisation_id, key }, now, () => {
      const text = textOf(body)
      const { moves } = this
      const effect = { key, user_id, organisation_id: organisation_id ?? null, text, moves }
      if (path === USERINFO) return this.#updateUser(effect, body)
      if (path === CONSENTS) return this.#updateConsents(effect, body)
      if (!isMember) return errorResponse(403, 'You are not a member.')
      return this.#write(tenant, request, path, body, { ...effect, set: {}, before: {} }, now)
    })
  }

  #idempotent(
    request: NetworkRequest,
    by: { user_id: string; organisation_id: string | undefined; key: string | undefined },
    now: number,
    write: () => ServerAnswer,
  ): ServerAnswer {
    if (by.key === undefined) return write()
    const name = `${by.user_id} ${by.organisation_id} ${by.key}`
    const fingerprint = `${request.method} ${request.url} ${request.headers['If-Match']} ${request.body}`
    const known = this.#keys.get(name)
    if (known && now - known.at < this.settings.key_life)
      return known.request === fingerprint
        ? { ...known.answer, headers: { ...known.answer.headers, 'idempotent-replayed': 'true' } }
        : errorResponse(422, 'The key was used for another request.')
    const answer = write()
    if (answer.status < 300) this.#keys.set(name, { at: now, request: fingerprint, answer })
    return answer
  }

  /** With a new name memberships get new versions, so that devices learn it. */
  #updateUser(effect: Omit<Effect, 'set' | 'before'>, body: Body): ServerAnswer {
    const before = this.#users.get(effect.user_id)
    const user = { ...before, ...body }
    this.#users.set(effect.user_id, user)
    if (body.name !== before?.name)
      for (const [id, tenant] of this.tenants) this.#putMember(id, tenant, effect.user_id)
    this.#applied({ ...effect, set: {}, before: {} })
    return json(200, { data: user })
  }

  #updateConsents(effect: Omit<Effect, 'set' | 'before'>, body: Body): ServerAnswer {
    const consents = { ...this.#consents.get(effect.user_id), ...body }
    this.#consents.set(effect.user_id, consents)
    this.#applied({ ...effect, set: {}, before: {} })
    return json(200, { data: consents })
  }

  #write(
    tenant: ModelTenant,
    request: NetworkRequest,
    path: string,
    body: Body,
    effect: Effect,
    now: number,
  ): ServerAnswer {
    const { user_id } = effect
    const [, , , noun = '', id = '', part] = path.split('/')
    const { accounts, success_plans, success_plan_updates } = tenant.records
    const ifMatch = request.headers['If-Match']
    if (noun === 'saved-views') {
      if (request.method === 'DELETE') this.deletedRecords.add(id)
      return writeView(tenant.views, {
        method: request.method,
        id,
        body,
        user_id,
        applied: () => this.#applied(effect),
      })
    }
    const collection = noun === 'success-plans' ? 'success_plans' : (noun as NestedCollection)
    if (request.method === 'DELETE')
      return answerDeletion(tenant, {
        collection,
        id,
        ifMatch,
        user_id,
        applied: (deletion) => {
          for (const gone of deletion.ids) this.deletedRecords.add(gone)
          this.#applied({ ...effect, deletion })
        },
      })
    if (noun === 'accounts' || noun === 'initiatives' || noun === 'actions')
      return writeNested(tenant, {
        request,
        collection: noun,
        id,
        body,
        user_id,
        now,
        applied: (record_id, { completed_at: _at, ...set }, before) => {
          const isNew = request.method === 'POST'
          this.#noteSet(record_id, isNew ? { ...before, ...body } : set, effect.key)
          this.#applied({ ...effect, set, before, version: tenant.version + 1 })
        },
      })
    if (id === '') {
      const repeated = repeatedCreate(tenant, 'success_plans', body, user_id)
      if (repeated) return repeated
      if (body.account_id !== undefined && !accounts.has(body.account_id))
        return errorResponse(422, 'There is no such account.')
      // That weekends are skipped is asked of the server, and is no field of the plan.
      const { skip_weekends: _asked, ...named } = body
      const plan = { ...NEW_PLAN, owner_id: user_id, ...named, created_by: user_id }
      const created = this.#create(tenant, 'success_plans', plan, effect)
      tenant.markPlansCounted(body.account_id)
      if (!this.settings.edits_new_plans) return created
      const change = { description: `elsewhere, of ${textOf(body)}` }
      this.editPlan(String(effect.organisation_id), String(body.id), change, now)
      return json(201, { message: 'ok' })
    }
    const plan = success_plans.get(id)
    if (!plan) return errorResponse(404, 'There is no such plan.')
    if (part === 'updates') {
      const stored = success_plan_updates.get(String(body.id))
      if (stored && stored.success_plan_id !== id) return errorResponse(422, 'This id is taken.')
      const repeated = repeatedCreate(tenant, 'success_plan_updates', body, user_id)
      if (repeated) return repeated
    }
    const stale = tenant.staleAnswer(plan, ifMatch)
    if (stale) return stale
    const { update_id } = this.#newUpdate(now)
    if (part === 'updates') {
      const written_at = new Date(body.written_at ?? now).toISOString()
      const { progress, health, status, outcome } = body as Partial<UpdateDraft>
      const draft = { id: body.id ?? update_id, user_id, body: body.body ?? '', status, outcome }
      if (isRefusedUpdate(plan, { ...draft, progress, health }))
        return errorResponse(422, 'It cannot become that.')
      const posted = tenant.postUpdate(plan, { ...draft, progress, health, written_at }, now)
      this.#noteSet(id, posted.set, effect.key)
      const { version } = posted.plan
      this.#applied({ ...effect, set: namedIn(posted.set, body), before: plan, version })
      return json(201, { data: { ...posted.update, success_plan_version: version } })
    }
    if (isRefusedTransition(plan, { ...body, body: body.note, progress: undefined }))
      return errorResponse(422, 'It cannot become that.')
    const edited = tenant.editPlan(plan, body, { user_id, update_id, now })
    this.#noteSet(id, edited.set, effect.key)
    const set = namedIn(edited.set, body)
    this.#applied({ ...effect, set, before: plan, version: edited.plan.version })
    return json(200, { data: edited.plan })
  }

  #create(
    tenant: ModelTenant,
    collection: Collection,
    record: Record<string, unknown>,
    effect: Effect,
  ): ServerAnswer {
    this.#applied(effect)
    this.#noteSet(String(record.id), record, effect.key)
    return json(201, { data: tenant.put(collection, { ...record, id: String(record.id) }) })
  }

  #newUpdate(now: number) {
    this.#generatedIds += 1
    return { update_id: `generated-${this.#generatedIds}`, now }
  }

  #read(tenant: ModelTenant, path: string, search: string): ServerAnswer {
    const { lists_only = false, announces_pages, page } = this.settings
    if (lists_only || path !== '/api/v1/changes') return tenant.list(path, search, page)
    return tenant.changes(search, page, announces_pages)
  }
}
