// The shapes of responses: `data`, `meta`, `links`, ETag.
import type { Endpoint } from '../../contract/endpoint.ts'
import { writeQuery, readQuery } from '../../contract/query-string.ts'
import type { HttpAnswer } from './idempotency.ts'
import { etagOf } from './if-match.ts'
import { DEFAULT_PER_PAGE } from './list-query.ts'

interface OneResult {
  data: { version?: number }
  repeated?: boolean
}

/**
 * Serialises a handler's result in the shape of the endpoint. `url` is the request's, for the links of
 * a list.
 */
export function present(row: Endpoint, result: unknown, url: string): HttpAnswer {
  const { status = 200 } = row
  if (row.answer.shape === 'none') return { status, body: '', etag: null }
  if (row.answer.shape === 'raw') return { status, body: JSON.stringify(result), etag: null }
  if (row.answer.shape === 'list') {
    const body = presentList(result as { data: unknown[]; total: number }, new URL(url))
    return { status, body: JSON.stringify(body), etag: null }
  }
  const { data, repeated } = result as OneResult
  return {
    status: repeated ? 200 : status,
    body: JSON.stringify({ data }),
    etag: data.version === undefined ? null : etagOf(data.version),
  }
}

function presentList({ data, total }: { data: unknown[]; total: number }, url: URL) {
  const query = readQuery(url.search)
  const current_page = Number(query.page ?? 1)
  const per_page = Number(query.per_page ?? DEFAULT_PER_PAGE)
  const last_page = Math.max(1, Math.ceil(total / per_page))
  const link = (page: number) =>
    page < 1 || page > last_page ? null : `${url.pathname}?${writeQuery({ ...query, page })}`
  return {
    data,
    meta: { current_page, last_page, per_page, total },
    links: {
      first: link(1),
      last: link(last_page),
      prev: link(current_page - 1),
      next: link(current_page + 1),
    },
  }
}

/** The response, without a body when it is empty. */
export function toResponse(answer: HttpAnswer, headers: Record<string, string> = {}): Response {
  const all = new Headers(headers)
  if (answer.etag !== null) all.set('ETag', answer.etag)
  if (answer.body === '') return new Response(null, { status: answer.status, headers: all })
  all.set('Content-Type', 'application/json')
  all.set('Content-Length', String(Buffer.byteLength(answer.body)))
  return new Response(answer.body, { status: answer.status, headers: all })
}
