// A model of the API server: what the contract promises, and nothing of how a real one keeps it.
import { readQuery } from '../../../contract/query-string.ts'
import type { NetworkRequest } from '../../../src/sync/core/ports.ts'
import { ModelTokens } from './model-tokens.ts'

export interface ServerAnswer {
  status: number
  headers: Record<string, string>
  text: string
}

type Record_ = { id: string; version: number } & Record<string, unknown>
type Collection = 'accounts' | 'success_plans' | 'success_plan_updates'

/** One organisation: its records, each with the version of its last change. */
interface Tenant {
  /** Versions under it are another database's. */
  first_version: number
  version: number
  records: Record<Collection, Map<string, Record_>>
  deleted: { type: Collection; id: string; version: number }[]
}

/** A write that took effect, as the server understood it. */
export interface Effect {
  key: string | undefined
  user_id: string
  organisation_id: string | null
  /** The text by which a person would recognise it. */
  text: string
  /** What it set in a record, and that record before. */
  set: Record<string, unknown>
  before: Record<string, unknown>
}

/** What a person would recognise something said by. */
export const textOf = (body: unknown): string => {
  const { title, name, description, id, ...said } = (body ?? {}) as Record<string, string>
  return said.body ?? title ?? name ?? description ?? `nothing but ${id}`
}

export interface ServerSettings {
  access_life: number
  /** How long keys are remembered, in milliseconds: 30 days, unless the server is broken. */
  key_life: number
  page: number
  /** It knows no `changes`. */
  lists_only?: boolean
}

const json = (status: number, body: unknown, headers = {}): ServerAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  text: JSON.stringify(body),
})
const errorResponse = (status: number, message: string) => json(status, { message })

const FIRST_VERSION = 100_000
const NEW_PLAN = { status: 'in-progress', progress: 0, description: null }

export const USERS = ['ann', 'bob'] as const
export const ORGANISATIONS = ['north', 'south'] as const
/** Texts with this word are refused as invalid. */
export const INVALID = 'invalid'

export class ModelServer {
  readonly tokens: ModelTokens
  readonly tenants = new Map<string, Tenant>()
  /** `user organisation` of those who may not write at present. */
  readonly forbidden = new Set<string>()
  readonly deletedPlans = new Set<string>()
  readonly settings: ServerSettings
  readonly #applied: (effect: Effect) => void
  readonly #keys = new Map<string, { at: number; request: string; answer: ServerAnswer }>()
  #moves = 0
  readonly #users = new Map<string, Record<string, unknown>>()
  /** `applied` hears of every write that takes effect. */
  constructor(settings: ServerSettings, applied: (effect: Effect) => void) {
    this.settings = settings
    this.#applied = applied
    this.tokens = new ModelTokens(settings.access_life)
    for (const id of USERS) this.#users.set(id, { id, name: id, email: `${id}@example.com` })
    for (const id of ORGANISATIONS) {
      const tenant: Tenant = {
        first_version: FIRST_VERSION,
        version: FIRST_VERSION,
        records: {
          accounts: new Map(),
          success_plans: new Map(),
          success_plan_updates: new Map(),
        },
        deleted: [],
      }
      this.tenants.set(id, tenant)
      for (const plan of [`${id}-1`, `${id}-2`])
        this.#put(tenant, 'success_plans', { id: plan, title: plan, ...NEW_PLAN })
      this.#put(tenant, 'accounts', { id: `${id}-a`, name: `${id}-a` })
    }
  }

  /** Deletes a plan and its updates, as somebody else might. */
  deletePlan(organisation_id: string, id: string): void {
    this.deletedPlans.add(id)
    const tenant = this.tenants.get(organisation_id)
    if (!tenant?.records.success_plans.delete(id)) return
    tenant.version += 1
    tenant.deleted.push({ type: 'success_plans', id, version: tenant.version })
    for (const [update_id, update] of tenant.records.success_plan_updates)
      if (update.success_plan_id === id) tenant.records.success_plan_updates.delete(update_id)
  }

  /** Changes a plan, as somebody else might who is online all the time. */
  editPlan(organisation_id: string, id: string, fields: Record<string, unknown>): void {
    const tenant = this.tenants.get(organisation_id)
    const plan = tenant?.records.success_plans.get(id)
    if (tenant && plan) this.#put(tenant, 'success_plans', { ...plan, ...fields })
  }

  /** The data moves to another database, where versions begin at another height. */
  moveToNewDatabase(): void {
    this.#moves += 1
    // Now above the last one, now below it.
    const height = FIRST_VERSION + (this.#moves % 2 ? -1 : 1) * 1_000 * this.#moves
    for (const tenant of this.tenants.values()) {
      const records = Object.values(tenant.records).flatMap((some) => [...some.values()])
      tenant.deleted = []
      tenant.first_version = height
      tenant.version = height
      for (const record of records.toSorted((a, b) => a.version - b.version))
        record.version = tenant.version += 1
    }
  }

  /** Answers one request. All or nothing, like a transaction. */
  handle(request: NetworkRequest, now: number): ServerAnswer {
    const [path = '', query = ''] = request.url.split('?')
    const body = JSON.parse(request.body ?? '{}') as Record<string, string>
    if (path === '/healthz') return json(200, {})
    if (path === '/oauth/token') {
      const answer = this.tokens.issue(body, now)
      return json(answer.status, answer.body)
    }
    const user_id = this.tokens.userOf(request.headers.Authorization, now)
    if (user_id === undefined) return errorResponse(401, 'Unauthenticated.')
    if (path === '/api/v1/userinfo' && request.method === 'GET')
      return json(200, { data: this.#users.get(user_id) })
    const organisation_id = request.headers['X-organisation']
    if (request.method === 'GET') {
      const tenant = this.tenants.get(organisation_id ?? '')
      return tenant ? this.#read(tenant, path, query) : errorResponse(400, 'No organisation.')
    }
    return this.#idempotent(request, user_id, organisation_id, now, () =>
      this.#write(request, path, body, user_id, organisation_id, now),
    )
  }

  #idempotent(
    request: NetworkRequest,
    user_id: string,
    organisation_id: string | undefined,
    now: number,
    write: () => ServerAnswer,
  ): ServerAnswer {
    const key = request.headers['Idempotency-Key']
    if (key === undefined) return write()
    const name = `${user_id} ${organisation_id} ${key}`
    const fingerprint = `${request.method} ${request.url} ${request.headers['If-Match']} ${request.body}`
    const known = this.#keys.get(name)
    if (known && now - known.at < this.settings.key_life)
      return known.request === fingerprint
        ? known.answer
        : errorResponse(422, 'The key was used for another request.')
    const answer = write()
    if (answer.status < 300) this.#keys.set(name, { at: now, request: fingerprint, answer })
    return answer
  }

  #write(
    request: NetworkRequest,
    path: string,
    body: Record<string, string>,
    user_id: string,
    organisation_id: string | undefined,
    now: number,
  ): ServerAnswer {
    const key = request.headers['Idempotency-Key']
    const text = textOf(body)
    const unchanged = { set: {}, before: {} }
    const effect = { key, user_id, organisation_id: organisation_id ?? null, text, ...unchanged }
    if (path === '/api/v1/userinfo') {
      if (text.includes(INVALID)) return errorResponse(422, 'That is not valid.')
      const user = { ...this.#users.get(user_id), ...body }
      this.#users.set(user_id, user)
      this.#applied({ ...effect, organisation_id: null })
      return json(200, { data: user })
    }
    const tenant = this.tenants.get(organisation_id ?? '')
    if (!tenant) return errorResponse(400, 'No organisation.')
    if (this.forbidden.has(`${user_id} ${organisation_id}`))
      return errorResponse(403, 'You may not.')
    const [, , , noun = '', id = '', part] = path.split('/')
    const { accounts, success_plans, success_plan_updates } = tenant.records
    const created = (collection: Collection, record: Record<string, unknown>) => {
      const stored = tenant.records[collection].get(String(body.id))
      if (stored) return json(200, { data: stored })
      this.#applied(effect)
      return json(201, { data: this.#put(tenant, collection, { ...record, id: String(body.id) }) })
    }
    if (text.includes(INVALID)) return errorResponse(422, 'That is not valid.')
    if (noun === 'accounts') return created('accounts', { name: text, created_by: user_id })
    const ifMatch = request.headers['If-Match']
    const plan = success_plans.get(id)
    if (part === 'updates') {
      const stored = success_plan_updates.get(String(body.id))
      if (stored) return json(200, { data: stored })
      if (!plan) return errorResponse(404, 'There is no such plan.')
      if (isStale(plan, ifMatch)) return staleResponse(plan)
      const { progress, health } = body
      const set = JSON.parse(JSON.stringify({ progress, health })) as Record<string, unknown>
      this.#applied({ ...effect, set, before: plan })
      const written_at = new Date(now).toISOString()
      const update = this.#put(tenant, 'success_plan_updates', {
        id: String(body.id),
        success_plan_id: id,
        user_id,
        body: body.body ?? '',
        written_at: body.written_at ?? written_at,
        created_at: written_at,
      })
      const { version } = this.#put(tenant, 'success_plans', { ...plan, ...set })
      return json(201, { data: { ...update, success_plan_version: version } })
    }
    if (request.method === 'POST') {
      if (body.account_id !== undefined && !accounts.has(body.account_id))
        return errorResponse(422, 'There is no such account.')
      return created('success_plans', { ...NEW_PLAN, ...body, created_by: user_id })
    }
    if (!plan) return errorResponse(404, 'There is no such plan.')
    if (isStale(plan, ifMatch)) return staleResponse(plan)
    this.#applied({ ...effect, set: body, before: plan })
    return json(200, { data: this.#put(tenant, 'success_plans', { ...plan, ...body, id }) })
  }

  #put(tenant: Tenant, collection: Collection, record: Record<string, unknown> & { id: string }) {
    tenant.version += 1
    const stored = { ...record, version: tenant.version }
    tenant.records[collection].set(record.id, stored)
    return stored
  }

  #read(tenant: Tenant, path: string, search: string): ServerAnswer {
    const { lists_only = false } = this.settings
    if (lists_only || path !== '/api/v1/changes') return this.#list(tenant, path, search)
    const since = Number(readQuery(search).since)
    if (since > 0 && (since < tenant.first_version || since > tenant.version))
      return errorResponse(410, 'That is too long ago.')
    const changed = Object.entries(tenant.records)
      .flatMap(([type, records]) => [...records.values()].map((record) => ({ type, record })))
      .filter(({ record }) => record.version > since)
      .map(({ type, record }) => ({ type, record, version: record.version, gone: false }))
    const gone = tenant.deleted
      .filter(({ version }) => version > since)
      .map(({ type, id, version }) => ({ type, record: { id }, version, gone: true }))
    const all = [...changed, ...gone].toSorted((a, b) => a.version - b.version)
    const page = all.slice(0, this.settings.page)
    const data: Record<string, unknown[]> = { deleted: [] }
    for (const { type, record, gone } of page)
      if (gone) data.deleted?.push({ type, id: record.id })
      else (data[type] ??= []).push(record)
    const more = page.length < all.length
    const { version: latest } = tenant
    return json(200, { data, version: more ? page.at(-1)?.version : latest, more, latest })
  }

  #list({ records }: Tenant, path: string, search: string): ServerAnswer {
    const [, , , noun, id, part] = path.split('/')
    const all = {
      accounts: [...records.accounts.values()],
      'success-plans': [...records.success_plans.values()],
      'organisation-users': [],
      updates: [...records.success_plan_updates.values()].filter(
        (update) => update.success_plan_id === id,
      ),
    }[String(part ?? noun)]
    if (!all || (part && !records.success_plans.has(String(id))))
      return errorResponse(404, 'Not found.')
    const { page } = readQuery(search)
    const per_page = this.settings.page
    const from = (Number(page) - 1) * per_page
    const last_page = Math.max(1, Math.ceil(all.length / per_page))
    const meta = { current_page: Number(page), last_page, per_page, total: all.length }
    return json(200, { data: all.slice(from, from + per_page), meta })
  }
}

const isStale = ({ version }: Record_, ifMatch: string | undefined) =>
  ifMatch !== undefined && ifMatch !== `"${version}"`

const staleResponse = (record: Record_) =>
  json(412, { message: 'Someone else changed this.', data: record })
