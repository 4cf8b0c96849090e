// Laravel's three paginators, and what other servers make of them.
import type { PlainOptions } from './plain-options.ts'
import type { PlainRecord } from './plain-records.ts'

interface Page {
  records: PlainRecord[]
  /** `links` and `meta`. */
  around: Record<string, unknown>
}

/** One page of `records`, with the links and the meta of the server's paginator. */
export function pageOf(
  records: readonly PlainRecord[],
  query: Record<string, unknown>,
  { pageSize, perPage, pagination }: PlainOptions,
  path: string,
): Page {
  const asked = perPage === 'honoured' ? Number(query.per_page ?? pageSize) : pageSize
  const per_page = Math.min(pageSize, Math.max(1, asked))
  const isCursor = pagination === 'cursor' || pagination === 'cursor-alone'
  const cursor = typeof query.cursor === 'string' ? readCursor(query.cursor) : 0
  const current_page = Math.max(1, Number(query.page ?? 1))
  const from = isCursor ? cursor : (current_page - 1) * per_page
  const some = records.slice(from, from + per_page)
  const more = from + per_page < records.length
  const linkTo = (parameter: string) => `http://api.plain.test${path}?${parameter}`
  const nextPage = isCursor
    ? `cursor=${writeCursor(from + per_page)}`
    : `page=${current_page + 1}${perPage === 'refused' ? '' : `&per_page=${per_page}`}`
  const next = more ? linkTo(nextPage) : null
  if (isCursor) {
    const links = { first: null, last: null, prev: null, next }
    const meta = { path, per_page, next_cursor: more ? writeCursor(from + per_page) : null }
    return { records: some, around: { ...(pagination === 'cursor' && { links }), meta } }
  }
  if (pagination === 'total') return { records: some, around: { total: records.length } }
  const meta = { current_page, from: from + 1, path, per_page, to: from + some.length }
  if (pagination === 'simple')
    return {
      records: some,
      around: { links: { first: linkTo('page=1'), last: null, prev: null, next }, meta },
    }
  const total = records.length
  const last_page = Math.max(1, Math.ceil(total / per_page))
  return {
    records: some,
    around: {
      links: { first: linkTo('page=1'), last: linkTo(`page=${last_page}`), prev: null, next },
      meta: { ...meta, last_page, total },
    },
  }
}

const writeCursor = (from: number) => Buffer.from(JSON.stringify({ from })).toString('base64url')
const readCursor = (cursor: string) =>
  (JSON.parse(Buffer.from(cursor, 'base64url').toString()) as { from: number }).from

/** The body of a page in the form of the server. */
export function listBody(
  data: readonly Record<string, unknown>[],
  around: Page['around'],
  lists: PlainOptions['lists'],
): unknown {
  if (lists === 'map')
    return { data: Object.fromEntries(data.map((one, at) => [`no-${at}`, one])), ...around }
  if (lists === 'nested') {
    const { meta, links } = around as { meta?: object; links?: { next: string | null } }
    return { data: { data, ...meta, ...(links && { next_page_url: links.next }) } }
  }
  return { data: lists === 'null' && data.length === 0 ? null : data, ...around }
}
