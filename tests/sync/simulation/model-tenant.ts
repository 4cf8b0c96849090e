// One organisation of the model server: its records, their versions, and the answers to reads.
import { readQuery } from '../../../contract/query-string.ts'
import type { SavedViews } from './model/saved-views.ts'
import { transitionOf } from './model/transitions.ts'

export interface ServerAnswer {
  status: number
  headers: Record<string, string>
  text: string
}

export type ModelRecord = { id: string; version: number } & Record<string, unknown>
type NewRecord = { id: string } & Record<string, unknown>
export type Collection =
  | 'accounts'
  | 'success_plans'
  | 'success_plan_updates'
  | 'initiatives'
  | 'actions'
  | 'organisation_users'

/** An update of a plan, as posted. */
export interface UpdateDraft {
  id: string
  user_id: string
  body: string
  progress: number | undefined
  health: string | undefined
  status?: string | undefined
  outcome?: string | undefined
  /** By the device's clock, ISO 8601. */
  written_at: string
}

/** A JSON answer; with an ETag when `data` carries a version. */
export const json = (status: number, body: Record<string, unknown>): ServerAnswer => {
  const { version } = (body.data ?? {}) as { version?: number }
  return {
    status,
    headers: {
      'content-type': 'application/json',
      ...(status < 300 && version !== undefined && { etag: `"${version}"` }),
    },
    text: JSON.stringify(body),
  }
}

export function errorResponse(
  status: number,
  message: string,
  headers: Record<string, string> = {},
): ServerAnswer {
  const answer = json(status, { message })
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

export class ModelTenant {
  /** Versions below it belong to another database. */
  first_version: number
  version: number
  readonly records: Record<Collection, Map<string, ModelRecord>> = {
    accounts: new Map(),
    success_plans: new Map(),
    success_plan_updates: new Map(),
    initiatives: new Map(),
    actions: new Map(),
    organisation_users: new Map(),
  }
  /** By `viewKey`. */
  readonly views: SavedViews = new Map()
  #deleted: { type: Collection; id: string; version: number }[] = []
  /** By record and field: the version in which it was last set, and by whom. `*`: all fields. */
  readonly #changes = new Map<string, Map<string, { version: number; by: string }>>()

  constructor(first_version: number) {
    this.first_version = first_version
    this.version = first_version
  }

  /** Stores a record under the next version. `by`: who sets the fields that differ from before. */
  put(collection: Collection, record: NewRecord, by = ''): ModelRecord {
    this.version += 1
    const { version } = this
    const before: Record<string, unknown> | undefined = this.records[collection].get(record.id)
    const stored = { ...record, version }
    this.records[collection].set(record.id, stored)
    const changes = before && this.#changes.get(record.id)
    if (!changes) this.#changes.set(record.id, new Map([['*', { version, by }]]))
    for (const [name, value] of Object.entries(record))
      if (name !== 'version' && JSON.stringify(value) !== JSON.stringify(before?.[name]))
        changes?.set(name, { version, by })
    return stored
  }

  /** Stores a record whose calculated fields have changed: that is no change for edits to be compared with. */
  derive(collection: Collection, record: NewRecord): void {
    this.version += 1
    this.records[collection].set(record.id, { ...record, version: this.version })
  }

  /**
   * The answer to a write that names a version from before the last change of a field; undefined when it
   * may be applied. What only moves the version, such as an update without effects, does not count.
   */
  staleAnswer(
    record: ModelRecord,
    ifMatch: string | undefined,
    othersSince: (seen: number) => Record<string, string> = () => ({}),
  ): ServerAnswer | undefined {
    if (ifMatch === undefined || ifMatch === `"${record.version}"`) return undefined
    const seen = Number(JSON.parse(ifMatch))
    const newer = [...(this.#changes.get(record.id) ?? [])].filter(
      ([, { version }]) => version > seen,
    )
    // A higher version than the record's is of another database.
    const isComparable = seen <= record.version && newer.every(([name]) => name !== '*')
    const changed_by = {
      ...Object.fromEntries(newer.map(([name, { by }]) => [name, by])),
      ...(isComparable && othersSince(seen)),
    }
    if (isComparable && Object.keys(changed_by).length === 0) return undefined
    return json(412, {
      message: 'This was changed meanwhile.',
      data: record,
      ...(isComparable && { changed_by }),
    })
  }

  /** Who set a field last; undefined when that is not known. */
  authorOf(id: string, field: string): string | undefined {
    return this.#changes.get(id)?.get(field)?.by
  }

  isDeleted(type: Collection, id: string): boolean {
    return this.#deleted.some((one) => one.type === type && one.id === id)
  }

  /** Deletes a plan and what belongs to it, each with a tombstone. Returns the ids. */
  deletePlan(id: string): string[] {
    if (!this.records.success_plans.has(id)) return []
    const ids = [id]
    for (const kind of ['actions', 'initiatives', 'success_plan_updates'] as const)
      for (const one of this.records[kind].values())
        if (one.success_plan_id === id) {
          this.delete(kind, one.id)
          ids.push(one.id)
        }
    const account_id = this.records.success_plans.get(id)?.account_id
    this.delete('success_plans', id)
    this.markPlansCounted(account_id)
    return ids
  }

  /** An account has another number of plans. */
  markPlansCounted(account_id: unknown): void {
    const account = this.records.accounts.get(String(account_id))
    if (account) this.derive('accounts', account)
  }

  /** Deletes one record, with a tombstone. */
  delete(type: Collection, id: string): void {
    this.version += 1
    this.records[type].delete(id)
    this.#deleted.push({ type, id, version: this.version })
  }

  /**
   * Stores an update and applies it to its plan. The progress and health of a plan are
   * those of the update with the latest `written_at`, which is at most `now`; of two the last one. Returns the update,
   * the plan after it, and the fields that it set.
   */
  postUpdate(plan: ModelRecord, draft: UpdateDraft, now: number) {
    const at = new Date(now).toISOString()
    const { id, user_id, body, health, written_at } = draft
    const { set: transition, progress, log } = transitionOf(plan, draft)
    const earlier = this.#updatesOf(plan.id)
    const update = {
      id,
      user_id,
      body,
      ...log,
      success_plan_id: plan.id,
      progress_from: progress === undefined ? null : plan.progress,
      progress_to: progress ?? null,
      health: health ?? null,
      written_at: written_at > at ? at : written_at,
      created_at: at,
    }
    const isLatestWith = (field: string) =>
      !earlier.some((one) => one[field] !== null && String(one.written_at) > update.written_at)
    const set = {
      ...transition,
      ...(progress !== undefined && isLatestWith('progress_to') && { progress }),
      ...(health !== undefined && isLatestWith('health') && { health }),
    }
    return {
      update: this.put('success_plan_updates', update),
      plan: this.put('success_plans', { ...plan, ...set }, draft.user_id),
      set,
    }
  }

  /** Edits a plan. A new progress or health, and a note, are written as an update. Returns the fields that it set. */
  editPlan(
    plan: ModelRecord,
    { progress, health, status, note = '', ...named }: Record<string, unknown>,
    by: { user_id: string; update_id: string; now: number },
  ) {
    const isTransition = status !== undefined && status !== plan.status
    const { outcome, ...others } = named
    // In a transition the outcome belongs to the update.
    const fields = isTransition ? others : named
    const edited = this.put('success_plans', { ...plan, ...fields }, by.user_id)
    const newProgress = progress === plan.progress ? undefined : (progress as number | undefined)
    const newHealth = health as string | undefined
    const isHealthNew = (newHealth ?? plan.health) !== plan.health
    if (!isTransition && newProgress === undefined && !isHealthNew && note === '')
      return { plan: edited, set: fields }
    const { user_id, update_id, now } = by
    const written_at = new Date(now).toISOString()
    const draft = {
      id: update_id,
      user_id,
      body: note as string,
      status: status as string | undefined,
      outcome: outcome as string | undefined,
      progress: newProgress,
      health: newHealth,
      written_at,
    }
    const posted = this.postUpdate(edited, draft, now)
    return { plan: posted.plan, set: { ...fields, ...posted.set } }
  }

  /** Renumbers every record from that version; tombstones are lost. */
  renumber(height: number): void {
    const records = Object.values(this.records).flatMap((some) => [...some.values()])
    this.#deleted = []
    this.first_version = height
    this.version = height
    for (const record of records.toSorted((a, b) => a.version - b.version))
      this.#changes.set(
        record.id,
        new Map([['*', { version: (record.version = this.version += 1), by: '' }]]),
      )
  }

  #updatesOf(plan_id: string): ModelRecord[] {
    return [...this.records.success_plan_updates.values()].filter(
      (update) => update.success_plan_id === plan_id,
    )
  }

  /** `GET /api/v1/changes`, in pages of that many records. `announces`: where two after the next one begin. */
  changes(search: string, pageSize: number, announces = false): ServerAnswer {
    const since = Number(readQuery(search).since)
    if (since > 0 && (since < this.first_version || since > this.version))
      return errorResponse(410, 'That is too long ago.')
    const changed = Object.entries(this.records)
      .flatMap(([type, records]) => [...records.values()].map((record) => ({ type, record })))
      .filter(({ record }) => record.version > since)
      .map(({ type, record }) => ({ type, record, version: record.version, isDeleted: false }))
    const deleted = this.#deleted
      .filter(({ version }) => version > since)
      .map(({ type, id, version }) => ({ type, record: { id }, version, isDeleted: true }))
    const all = [...changed, ...deleted].toSorted((a, b) => a.version - b.version)
    const page = all.slice(0, pageSize)
    // All lists, as our server does: a build that does not know one learns that it has no records.
    const data: Record<string, unknown[]> = { deleted: [] }
    for (const type of Object.keys(this.records)) data[type] = []
    for (const { type, record, isDeleted } of page)
      if (isDeleted) data.deleted?.push({ type, id: record.id })
      else data[type]?.push(record)
    const more = page.length < all.length
    const { version: latest } = this
    const next = (announces ? [2, 3] : []).flatMap((pages) =>
      pages * pageSize < all.length ? (all[pages * pageSize - 1]?.version ?? []) : [],
    )
    const version = more ? page.at(-1)?.version : latest
    return json(200, { data, version, more, latest, ...(next.length > 0 && { next }) })
  }

  /** The lists of a server that has no `changes`, and its reads of one record. */
  list(path: string, search: string, per_page: number): ServerAnswer {
    const [, , , noun, id, part] = path.split('/')
    const { records } = this
    const all = {
      accounts: [...records.accounts.values()],
      initiatives: [...records.initiatives.values()],
      actions: [...records.actions.values()],
      'success-plans': [...records.success_plans.values()],
      'organisation-users': [...records.organisation_users.values()],
      updates: this.#updatesOf(String(id)),
    }[String(part ?? noun)]
    if (!all || (part && !records.success_plans.has(String(id))))
      return errorResponse(404, 'Not found.')
    if (id !== undefined && part === undefined) {
      const record = all.find((one) => one.id === id)
      return record ? json(200, { data: record }) : errorResponse(404, 'Not found.')
    }
    const { page } = readQuery(search)
    const from = (Number(page) - 1) * per_page
    const last_page = Math.max(1, Math.ceil(all.length / per_page))
    const meta = { current_page: Number(page), last_page, per_page, total: all.length }
    return json(200, { data: all.slice(from, from + per_page), meta })
  }
}
