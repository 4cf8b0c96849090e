// The batches of the model server: each operation is answered as a request of its own would be.
import type { Endpoint } from '../../../../contract/endpoint.ts'
import { endpoints } from '../../../../contract/endpoints.ts'
import type { BatchOperation, BatchResults } from '../../../../contract/schemas/batch.ts'
import type { NetworkRequest } from '../../../../src/sync/core/ports.ts'
import { errorResponse, json, type ServerAnswer } from '../model-tenant.ts'

export const BATCH = '/api/v1/batch'
const MAX_OPERATIONS = 100
const HEADERS = ['etag', 'idempotent-replayed', 'retry-after']

/**
 * Answers one operation of a batch, or lets it fail; undefined when the time of the batch is over. `index`: its
 * place in the batch.
 */
export type AnswerPart = (
  request: NetworkRequest,
  answer: () => ServerAnswer,
  index: number,
) => ServerAnswer | undefined

type Results = BatchResults['data']

const operationsOf = ({ body = '{}' }: NetworkRequest): BatchOperation[] =>
  (JSON.parse(body) as { operations?: BatchOperation[] }).operations ?? []

const rowOf = ({ method, path }: BatchOperation): Endpoint | undefined =>
  Object.values<Endpoint>(endpoints).find(
    (row) =>
      row.offlinePolicy &&
      row.method === method &&
      new RegExp(`^${row.path.replaceAll(/\{\w+\}/g, '[\\w-]+')}$`).test(path),
  )

/** An operation of a batch as a request of its own. */
function partOf(request: NetworkRequest, one: BatchOperation, if_match?: string): NetworkRequest {
  return {
    ...request,
    method: one.method,
    url: one.path,
    headers: {
      ...request.headers,
      'Idempotency-Key': one.key,
      ...(if_match !== undefined && { 'If-Match': if_match }),
    },
    body: one.body === undefined ? undefined : JSON.stringify(one.body),
  } as NetworkRequest
}

/** The operations of a batch as requests of their own; of any other request that request alone. */
export const partsOf = (request: NetworkRequest): NetworkRequest[] =>
  request.url === BATCH
    ? operationsOf(request).map((one) => partOf(request, one, one.if_match))
    : [request]

/**
 * The operations of a request with their answers, of a batch without those that it has not begun. An answer
 * that is none of a batch is that of each.
 */
export function answersOf(
  request: NetworkRequest,
  answer: ServerAnswer,
): { request: NetworkRequest; answer: ServerAnswer; isWhole: boolean }[] {
  const parts = partsOf(request)
  if (request.url !== BATCH || answer.status !== 200 || !answer.text.startsWith('{'))
    return parts.map((part) => ({ request: part, answer, isWhole: request.url === BATCH }))
  const { data } = JSON.parse(answer.text) as BatchResults
  return parts.flatMap((part, index) => {
    const { status, headers = {}, body } = data[index] ?? {}
    if (status === null || status === undefined) return []
    const text = body === null ? '' : JSON.stringify(body)
    return [{ request: part, answer: { status, headers, text }, isWhole: false }]
  })
}

/** Two operations under one key, a call that cannot be queued, or a base that is not before the operation. */
function isMalformed(operations: readonly BatchOperation[]): boolean {
  const lanes = new Map<string, string>()
  return (
    operations.length === 0 ||
    operations.length > MAX_OPERATIONS ||
    operations.some((one) => {
      const { key, lane, if_match_from } = one
      const isWrong =
        !rowOf(one) ||
        lanes.has(key) ||
        (if_match_from !== undefined && lanes.get(if_match_from) !== lane)
      lanes.set(key, lane)
      return isWrong
    })
  )
}

/** Answers a batch of a member. `answer` answers one request. */
export function answerBatch(
  request: NetworkRequest,
  answer: (part: NetworkRequest) => ServerAnswer,
  answerPart: AnswerPart = (_part, own) => own(),
): ServerAnswer {
  const operations = operationsOf(request)
  if (isMalformed(operations)) return errorResponse(422, 'That is not valid.')
  const versions = new Map<string, string | undefined>()
  const failed = new Set<string>()
  let isLate = false
  const data = operations.map((one, index): Results[number] => {
    const { key, lane } = one
    const notBegun = { key, status: null, headers: {}, body: null }
    if (isLate || failed.has(lane)) return notBegun
    const if_match = versions.get(one.if_match_from ?? '') ?? one.if_match
    const part = partOf(request, one, if_match)
    const own = answerPart(part, () => answer(part), index)
    if (!own) {
      isLate = true
      return notBegun
    }
    const body = own.text.startsWith('{') ? (JSON.parse(own.text) as Record<string, unknown>) : null
    const version =
      own.status < 300 && body?.data
        ? rowOf(one)?.offlinePolicy?.version?.(body.data as Record<string, unknown>)
        : undefined
    versions.set(key, version === undefined ? if_match : `"${version}"`)
    if (own.status >= 300) failed.add(lane)
    const headers = Object.entries(own.headers).filter(([name]) => HEADERS.includes(name))
    return { key, status: own.status, headers: Object.fromEntries(headers), body }
  })
  return json(200, { data })
}
