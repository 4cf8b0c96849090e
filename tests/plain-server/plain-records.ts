// The records of the plain server, and the forms in which it writes them.
import type { Oddity, PlainOptions } from './plain-options.ts'

/** Ids are decimal strings here, and numbers in answers where the server counts. */
export type PlainRecord = { id: string } & Record<string, unknown>

const TABLES = [
  'organisations',
  'organisation-users',
  'accounts',
  'success-plans',
  'updates',
  'initiatives',
  'actions',
] as const
export type Table = (typeof TABLES)[number]

/** Fields that a request may set, as a framework's list of fillable fields. */
const FILLABLE: Record<Table, readonly string[]> = {
  organisations: ['name', 'website', 'timezone', 'currency'],
  'organisation-users': ['role'],
  accounts: [
    'name',
    'website',
    'industry',
    'tier',
    'status',
    'health',
    'arr',
    'currency',
    'renewal_date',
    'owner_id',
    'contacts',
    'notes',
    'tags',
  ],
  'success-plans': [
    'title',
    'type',
    'status',
    'health',
    'progress',
    'description',
    'success_criteria',
    'start_date',
    'end_date',
    'account_id',
    'owner_id',
    'update_cadence_days',
  ],
  // A status in an update is not part of the specification, and is ignored.
  updates: ['body', 'written_at'],
  initiatives: [
    'title',
    'description',
    'status',
    'health',
    'owner_id',
    'start_date',
    'end_date',
    'success_plan_id',
    'account_id',
    'position',
  ],
  actions: [
    'title',
    'description',
    'status',
    'priority',
    'due_date',
    'assignee_id',
    'position',
    'success_plan_id',
    'initiative_id',
    'account_id',
    'completed_at',
  ],
}

/** What a request must set to create a record. */
export const REQUIRED: Partial<Record<Table, string>> = {
  organisations: 'name',
  accounts: 'name',
  'success-plans': 'title',
  updates: 'body',
  initiatives: 'title',
  actions: 'title',
}

export const IDS = /(^|_)id$/
const PARENTS = /^(account|owner|assignee|success_plan|initiative)_id$/
const DAYS = /_date$/
const TIMES = /_at$/
const NUMBERS = /^(progress|arr|position|update_cadence_days|members_count)$/
const LISTS = /^(tags|contacts)$/
const TITLES = /^(title|name)$/
const TEXTS = /^(description|website|industry|notes|body|outcome)$/
const AUTHORS = /^(created_by|user_id)$/

/** Marks a number that JavaScript cannot hold, until the text of the answer is written. */
const RAW = '#raw:'

const firstLarge = 2n ** 53n

export class PlainRecords {
  readonly tables: Record<Table, PlainRecord[]>
  readonly #options: PlainOptions
  readonly #newUuid: () => string
  readonly #counts = new Map<string, bigint>()

  constructor(options: PlainOptions, newUuid: () => string) {
    this.#options = options
    this.#newUuid = newUuid
    this.tables = Object.fromEntries(TABLES.map((name) => [name, [] as PlainRecord[]])) as Record<
      Table,
      PlainRecord[]
    >
  }

  /** A new id; each table counts for itself, so ids of two tables are the same. */
  newId(table: string): string {
    const count = (this.#counts.get(table) ?? 0n) + 1n
    this.#counts.set(table, count)
    if (this.#options.ids === 'uuids') return this.#newUuid()
    return String(this.#options.ids === 'integers' ? count : firstLarge + 2n * count - 1n)
  }

  /** Deletes what belongs to a plan or an initiative. */
  deleteChildren(table: Table, id: string): void {
    const parent = { 'success-plans': 'success_plan_id', initiatives: 'initiative_id' }[
      table as string
    ]
    if (parent === undefined) return
    for (const name of TABLES)
      this.tables[name] = this.tables[name].filter((one) => one[parent] !== id)
  }

  /** The body of an answer, with each value in this server's form. */
  write(body: unknown): string {
    return JSON.stringify(body).replaceAll(new RegExp(`"${RAW}(\\d+)"`, 'g'), '$1')
  }

  /** One record in the form that this server answers it in. */
  present(table: Table | 'users', record: PlainRecord): Record<string, unknown> {
    const isFirst = table === 'users' || this.tables[table][0]?.id === record.id
    const has = (oddity: Oddity) => {
      const target = this.#options.oddities[oddity]
      return target === 'all' || (target === 'first' && isFirst)
    }
    const shown: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(record)) {
      if (this.#options.unknownFields[table]?.includes(name)) continue
      if (has('no-author') && !table.startsWith('organisation') && AUTHORS.test(name)) continue
      if (has('no-created-at') && name === 'created_at') continue
      if (has('no-written-at') && name === 'written_at') continue
      const form = this.#valueOf(name, value, has)
      if (has('nested-parents') && PARENTS.test(name))
        shown[name.replace('_id', '')] = value === null ? null : { id: form, name: 'A name' }
      else shown[name] = form
    }
    return shown
  }

  #valueOf(name: string, value: unknown, has: (oddity: Oddity) => boolean): unknown {
    if (name === 'id' && has('null-ids')) return null
    // An id that the client made is no number.
    if (IDS.test(name) && typeof value === 'string' && /^\d+$/.test(value)) return `${RAW}${value}`
    if (TITLES.test(name) && has('null-titles')) return null
    if (TEXTS.test(name) && has('null-texts')) return null
    if (LISTS.test(name) && has('null-lists')) return null
    if (name === 'status' && has('unknown-status')) return 'on_ice'
    if (typeof value === 'boolean' && has('booleans-as-numbers')) return Number(value)
    if (NUMBERS.test(name) && typeof value === 'number') {
      if (has('null-numbers')) return null
      if (has('words-as-numbers')) return 'a lot'
      if (has('numbers-as-strings')) return value.toFixed(2)
    }
    if (TIMES.test(name) && typeof value === 'string') return oddTime(value, has)
    return DAYS.test(name) && typeof value === 'string' ? oddDay(value, has) : value
  }
}

function oddTime(time: string, has: (oddity: Oddity) => boolean): unknown {
  if (has('times-in-seconds')) return Math.floor(Date.parse(time) / 1_000)
  return has('times-without-zone') ? time.replace('T', ' ').replace(/(\.\d+)?Z$/, '') : time
}

function oddDay(day: string, has: (oddity: Oddity) => boolean): string | number {
  if (has('empty-days')) return ''
  if (has('days-as-instants')) return `${day}T00:00:00.000000Z`
  if (has('days-with-time')) return `${day} 00:00:00`
  if (has('days-without-dashes')) return day.replaceAll('-', '')
  if (has('days-as-numbers')) return Number(day.replaceAll('-', ''))
  if (has('days-localised')) return day.split('-').toReversed().join('/')
  return day
}

/** The fields that a request may set, as the server stores them. */
export function fill(
  table: Table,
  body: Record<string, unknown>,
  { text, unknownFields }: PlainOptions,
): Record<string, unknown> {
  const entries = FILLABLE[table]
    .filter((name) => body[name] !== undefined && !unknownFields[table]?.includes(name))
    .map((name) => {
      const value = body[name]
      // Ids may come as numbers or as strings.
      if (IDS.test(name) && typeof value === 'number') return [name, String(value)]
      return [name, typeof value === 'string' && text === 'sanitised' ? sanitise(value) : value]
    })
  return Object.fromEntries(entries) as Record<string, unknown>
}

/** A text as a server stores it that cleans texts. */
export const sanitise = (text: string) =>
  text
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll('&', '&amp;')
