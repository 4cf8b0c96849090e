// Lists: substring search, a stable order, and one page with the total.
import { sql, type RawBuilder, type SelectQueryBuilder, type Simplify } from 'kysely'
import { readQuery } from '../../contract/query-string.ts'
import type { Tables } from '../database/tables.ts'
import { invalid } from '../errors/http-error.ts'
import { sha256 } from '../hash.ts'

/** Rows of a page when the query names no number. */
export const DEFAULT_PER_PAGE = 15

/** What `foldText` of the app drops: characters that take the script of the one before (`\p{sc=Zinh}`). */
const INHERITED =
  '\\u0300-\\u036f\\u0485\\u0486\\u064b-\\u0655\\u0670\\u0951-\\u0954\\u1ab0-\\u1add\\u1ae0-\\u1aeb' +
  '\\u1cd0-\\u1cd2\\u1cd4-\\u1ce0\\u1ce2-\\u1ce8\\u1ced\\u1cf4\\u1cf8\\u1cf9\\u1dc0-\\u1dff\\u200c\\u200d' +
  '\\u20d0-\\u20f0\\u302a-\\u302d\\u3099\\u309a\\ufe00-\\ufe0f\\ufe20-\\ufe2d\\U000101fd\\U000102e0\\U0001133b' +
  '\\U0001cf00-\\U0001cf2d\\U0001cf30-\\U0001cf46\\U0001d167-\\U0001d169\\U0001d17b-\\U0001d182' +
  '\\U0001d185-\\U0001d18b\\U0001d1aa-\\U0001d1ad\\U000e0100-\\U000e01ef'

/** Capitals that remain, and what `foldText` of the app puts in their place: `SS` for `ẞ`, as for `ß`. */
const REPLACED = { ẞ: 'SS', Ł: 'L', Ø: 'O', Đ: 'D', Ð: 'D', Ħ: 'H', Æ: 'AE', Œ: 'OE' }

/**
 * A text for comparison with what is typed, as `foldText` of the app has it: capitals, accents and how a letter is
 * encoded make no difference. ASCII, where length in bytes and in characters are equal, needs none of ICU, which takes
 * most of the time.
 */
function folded(text: RawBuilder<unknown>): RawBuilder<string> {
  const letters = sql`regexp_replace(normalize(${text}, nfkd), ${sql.lit(`[${INHERITED}]`)}, '', 'g')`
  const capitals = sql`upper(${letters} collate "und-x-icu") collate "C"`
  const plain = Object.entries(REPLACED).reduce(
    (all, [from, to]) => sql`replace(${all}, ${sql.lit(from)}, ${sql.lit(to)})`,
    capitals,
  )
  return sql`case when octet_length(${text}) = length(${text}) then upper(${text} collate "C") else ${plain} end`
}

/** The white space that `normalize` does not turn into plain spaces. */
const SPACE = '[\\s\\u1680\\u2028\\u2029\\ufeff]+'

/**
 * Whether a text column contains `part`, as `folded` compares them without space around `part`. As in the palette of
 * the app, a part that is then empty, such as an accent alone, is in no text. It is folded once for all rows.
 */
export function contains(column: string, part: string): RawBuilder<boolean> {
  const around = sql.lit(`^${SPACE}|${SPACE}$`)
  const typed = sql`(select nullif(regexp_replace(${folded(sql`${part}::text`)}, ${around}, '', 'g'), ''))`
  return sql<boolean>`strpos(${folded(sql.ref(column))}, ${typed}) > 0`
}

/** Columns that are never null. `nulls last` on them would keep PostgreSQL from using an index. */
const NOT_NULL_COLUMNS = /(^|\.)(id|created_at|updated_at|name|title|status|progress|position)$/

/**
 * The `order by` item for a sort such as `-updated_at`: text columns by the Unicode collation, nulls
 * last.
 */
function orderBy(sort: string, textColumns: readonly string[] = []): RawBuilder<unknown> {
  const isDescending = sort.startsWith('-')
  const column = sort.replace(/^-/, '')
  const collation = textColumns.includes(column) ? sql` collate "und-x-icu"` : sql``
  // In ascending order PostgreSQL puts nulls last by default.
  const direction = isDescending ? sql`desc` : sql`asc`
  const nullsLast = isDescending && !NOT_NULL_COLUMNS.test(column) ? sql` nulls last` : sql``
  return sql`${sql.ref(column)}${collation} ${direction}${nullsLast}`
}

interface ListOptions<Row, Item> {
  query: { page?: number | undefined; per_page?: number | undefined }
  /** A column, with `-` for descending order. */
  sort: string
  textColumns?: readonly string[]
  /** Orders rows with an equal sort column. */
  tieBreak?: string
  /** The organisation of the rows, where none of them changes without its version: see KeptLists. */
  organisation?: { id: string; version: number }
  /** Set for records that may be large: a page of several with too many bytes is refused. */
  mayBeLarge?: boolean
  present: (row: Simplify<Row>) => Item
}

/**
 * Limit for the rows of a page as JSON, which stays in memory until its client has read it. A page of one record has
 * no limit: several requests can make a record larger than this, and it must stay readable. 500 actions with the
 * longest texts are about as large: devices read lists in pages of 500, and keep that size if the first page was
 * answered.
 */
const MAX_PAGE_BYTES = 16 * 1024 * 1024

/** Throws a 422 HttpError when the rows of `page` are too large together. */
async function requireRoom<Table extends keyof Tables, Row>(
  page: SelectQueryBuilder<Tables, Table, Row>,
): Promise<void> {
  const measured = sql<number>`(
    select coalesce(sum(octet_length(row_to_json(entry)::text)), 0)::int8 from (${page}) as entry
  )`
  const found = await page
    .clearSelect()
    .clearOrderBy()
    .clearOffset()
    .limit(1)
    .select(measured.as('bytes'))
    .executeTakeFirst()
  const { bytes = 0 } = (found ?? {}) as { bytes?: number }
  if (bytes > MAX_PAGE_BYTES)
    throw invalid({ per_page: ['These records are too large for one page. Ask for fewer.'] })
}

/** For all organisations together; the longest unused is dropped first. */
const MAX_KEPT_TOTALS = 2_000
/** Totals by a hash of organisation, version and query; a hash, because a query may be long. */
const keptTotals = new Map<string, number>()

function keepTotal(key: string, total: number): void {
  keptTotals.delete(key)
  keptTotals.set(key, total)
  const [oldest = ''] = keptTotals.keys()
  if (keptTotals.size > MAX_KEPT_TOTALS) keptTotals.delete(oldest)
}

/** The length of all kept answers with their addresses, in characters. */
const MAX_KEPT_LENGTH = 4 * 1024 * 1024

/**
 * Answers of lists whose rows are the same for all members and change only with the version of the organisation. The
 * version is read before the rows, so these may be newer than it, never older. An instance serves one database, because
 * copies of a database share ids and versions.
 */
export class KeptLists {
  /** By organisation, version and address; the longest unused first. */
  readonly #answers = new Map<string, string>()
  #length = 0

  find(organisation: { id: string; version: number }, url: string): string | undefined {
    const key = keyOf(organisation, url)
    const body = this.#drop(key)
    if (body !== undefined) this.#add(key, body)
    return body
  }

  keep(organisation: { id: string; version: number }, url: string, body: string): void {
    const key = keyOf(organisation, url)
    this.#drop(key)
    this.#add(key, body)
    for (const oldest of this.#answers.keys()) {
      if (this.#length <= MAX_KEPT_LENGTH) break
      this.#drop(oldest)
    }
  }

  #add(key: string, body: string): void {
    this.#answers.set(key, body)
    // An address can be much longer than its answer.
    this.#length += key.length + body.length
  }

  #drop(key: string): string | undefined {
    const body = this.#answers.get(key)
    if (body !== undefined) this.#length -= key.length + body.length
    this.#answers.delete(key)
    return body
  }
}

/** The whole address: a member could spell a part of it so that one list is kept as another. */
const keyOf = ({ id, version }: { id: string; version: number }, url: string) =>
  `${id} ${version} ${url}`

/**
 * The requested page of `rows`, which are filtered and selected but not ordered, and the number of all
 * rows: in one statement, unless the page is behind the last one. Throws a 422 HttpError for a page that is too large.
 */
export async function findPage<Table extends keyof Tables, Row, Item>(
  rows: SelectQueryBuilder<Tables, Table, Row>,
  {
    query,
    sort,
    textColumns = [],
    tieBreak = 'id',
    organisation,
    mayBeLarge,
    present,
  }: ListOptions<Row, Item>,
): Promise<{ data: Item[]; total: number; isOfVersion: boolean }> {
  const limit = query.per_page ?? DEFAULT_PER_PAGE
  const offset = ((query.page ?? 1) - 1) * limit
  const counted = rows.clearSelect().select((row) => row.fn.countAll<number>().as('total'))
  const { sql: text, parameters } = counted.compile()
  const key =
    organisation &&
    sha256(JSON.stringify([organisation.id, organisation.version, text, parameters])).toString(
      'hex',
    )
  const kept = key === undefined ? undefined : keptTotals.get(key)
  const ordered = rows
    .orderBy(orderBy(sort, textColumns))
    .orderBy(orderBy(tieBreak))
    .limit(limit)
    .offset(offset)
  if (mayBeLarge && limit > 1) await requireRoom(ordered)
  const page = await ordered
    .$if(kept === undefined, (all) => all.select(sql<number>`(${counted})`.as('total')))
    .execute()
  const withTotal = page as { total?: number }[]
  const total =
    kept ??
    withTotal[0]?.total ??
    (offset === 0 ? 0 : (await counted.executeTakeFirstOrThrow()).total)
  if (key !== undefined) keepTotal(key, total)
  for (const row of withTotal) delete row.total
  const data = page.map((row) => present(row as Simplify<Row>))
  return { data, total, isOfVersion: organisation !== undefined }
}

/** The query of a URL by its names. Throws a 422 HttpError on a name that is not understood. */
export function queryOf(url: string): Record<string, unknown> {
  try {
    return readQuery(new URL(url).search)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw invalid({ [error.message]: ['This parameter is not understood.'] })
  }
}
