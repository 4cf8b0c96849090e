// A batch: the queued operations of one author in one organisation, answered as their own calls would be.
import type { Context } from 'hono'
import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import type { BatchOperation, BatchResults } from '../../contract/schemas/batch.ts'
import { rememberSession } from '../auth/remembered-session.ts'
import { HttpError, invalid } from '../errors/http-error.ts'
import { readKey, type HttpAnswer } from '../http/idempotency.ts'
import { etagOf, malformedIfMatch } from '../http/if-match.ts'
import { present, toResponse } from '../http/present.ts'
import { readBytes, setParsedBody } from '../http/request-body.ts'
import { readInput, type RouteHandler } from '../http/route.ts'
import { requireMembership } from '../http/access/sender.ts'
import { bearerToken } from '../http/authenticate.ts'
import type { Services } from '../http/services.ts'
import { createTransactionGroups } from '../http/sync/transaction-groups.ts'
import { errorResponse } from '../http/to-http-error.ts'

const MAX_BYTES = 512 * 1024
/** After as much time no further operation is begun. */
const MAX_MS = 10_000
/** Nor once the bodies of the results have more bytes: each may be a record of more than a megabyte. */
const MAX_RESULT_BYTES = 8 * 1024 * 1024
/** Headers of an answer that its result repeats, in lower case. */
const RESULT_HEADERS = ['etag', 'idempotent-replayed', 'retry-after']
/** Headers of the request that count for each of its operations. */
const SHARED_HEADERS = ['Authorization', 'X-organisation', 'X-Forwarded-For', 'X-Forwarded-Proto']

/** The key of an operation, and that of the one whose version it takes. A UUID may be written in both cases. */
const keysOf = ({ key, if_match_from }: BatchOperation) =>
  [key.toLowerCase(), if_match_from?.toLowerCase()] as const

type Result = BatchResults['data'][number]
/** What is known of a result before it is committed. `bytes`: of its body. */
type Outcome = Pick<Result, 'status' | 'body'> & { bytes: number }

/** The calls that can be queued, and the form of their paths. */
const queueable = Object.values<Endpoint>(endpoints)
  .filter((row) => row.offlinePolicy)
  .map((row) => ({ row, path: new RegExp(`^${row.path.replaceAll(/\{\w+\}/g, '[\\w-]+')}$`) }))

const rowOf = ({ method, path }: BatchOperation): Endpoint | undefined =>
  queueable.find((one) => one.row.method === method && one.path.test(path))?.row

/**
 * `POST /api/v1/batch`: one result for each operation, in order. Several share a transaction, in which each is undone
 * by itself; the session is looked up once for all. After one that did not succeed, the later ones of its lane are not
 * begun; after ten seconds, or 8 MiB of results, none is. 413 above 512 KiB; 422 for two operations with one key, and
 * for a call that cannot be queued.
 */
export const sendBatch: RouteHandler = {
  row: endpoints.sendBatch,
  async respond(services, context) {
    const { user } = await requireMembership(services, context)
    readKey(context.req.header('Idempotency-Key'))
    const bytes = await readBytes(context)
    if (bytes.byteLength > MAX_BYTES)
      throw new HttpError(413, { message: 'The request is larger than 512 KiB.' })
    const { body } = readInput<typeof endpoints.sendBatch>(endpoints.sendBatch, context, bytes)
    requireValid(body.operations)
    const data = await answerAll(services, context, user.id, body.operations)
    return toResponse(present(endpoints.sendBatch, { data }, context.req.url))
  },
}

async function answerAll(
  services: Services,
  context: Context,
  user_id: string,
  operations: readonly BatchOperation[],
): Promise<Result[]> {
  const { database, tokens, monotonicMs } = services
  const startedAt = monotonicMs()
  const versions = new Map<string, string | undefined>()
  const failedLanes = new Set<string>()
  const results: Promise<Result>[] = []
  let begun = 0
  let bytes = 0
  const groups = createTransactionGroups(database, {
    monotonicMs,
    keys: (max) => operations.slice(begun, begun + max).map((one) => keysOf(one)[0]),
    session: tokens.sessionOf?.(bearerToken(context.req.raw) ?? ''),
  })
  const authenticate = async (token: string) => {
    await groups.commit()
    return tokens.authenticate(token)
  }
  const { changes } = database
  const session = rememberSession(
    { tokens: { ...tokens, authenticate }, changes, monotonicMs },
    user_id,
  )
  try {
    for (const [index, operation] of operations.entries()) {
      const { key, lane } = operation
      const isOver = index > 0 && (monotonicMs() - startedAt >= MAX_MS || bytes >= MAX_RESULT_BYTES)
      const [own, earlier = ''] = keysOf(operation)
      if (isOver || failedLanes.has(lane)) {
        results.push(Promise.resolve({ key, status: null, headers: {}, body: null }))
        continue
      }
      begun = index
      const if_match = versions.get(earlier) ?? operation.if_match
      const isOfUser = rowOf(operation)?.who === 'user'
      if (isOfUser) await groups.commit()
      const group = isOfUser ? undefined : groups.add()
      const env = (context.env ?? {}) as object
      const shared = { database: group?.database ?? database, tokens: session.tokens }
      const answer = async () =>
        services.answerQueued(requestOf(operation, if_match, context), env, shared)
      // What is thrown is the result of this operation: others may be committed.
      const answered = answerOf(
        key,
        answer().catch((error: unknown) => errorResponse(error, context.get('request_id'))),
      )
      results.push(answered.then(({ result }) => result))
      const outcome = await Promise.race([
        answered.then((one) => ({ ...one.result, bytes: one.bytes })),
        ...(group ? [group.done.then(uncommitted)] : []),
      ])
      bytes += outcome.bytes
      if (isSuccess(outcome)) versions.set(own, versionIn(operation, outcome.body) ?? if_match)
      else failedLanes.add(lane)
    }
    await groups.commit()
    return await Promise.all(results)
  } finally {
    await groups.commit()
    session.stop()
  }
}

/** What the transaction of a queueable call of a member resolves to: its answer, or its error response. */
function uncommitted(resolved: unknown): Outcome {
  if (resolved instanceof HttpError) {
    const { status, body } = resolved
    return { status, body, bytes: Buffer.byteLength(JSON.stringify(body)) }
  }
  const { status, body } = resolved as HttpAnswer
  return { status, body: bodyOf(body), bytes: Buffer.byteLength(body) }
}

const bodyOf = (text: string): unknown => (text === '' ? null : JSON.parse(text))

/** Throws a 422 HttpError with messages by field; nothing has been done by then. */
function requireValid(operations: readonly BatchOperation[]): void {
  const errors: Record<string, string[]> = {}
  const lanes = new Map<string, string>()
  for (const [index, operation] of operations.entries()) {
    const { lane } = operation
    const [key, if_match_from] = keysOf(operation)
    const field = `operations.${index}`
    if (!rowOf(operation)) errors[`${field}.path`] = ['This call cannot be in a batch.']
    if (lanes.has(key)) errors[`${field}.key`] = ['Another operation has this key.']
    if (if_match_from !== undefined && lanes.get(if_match_from) !== lane)
      errors[`${field}.if_match_from`] = ['Name an earlier operation of this lane.']
    lanes.set(key, lane)
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

/** The operation as a request of its own, with the sender of the batch. Throws a 400 HttpError. */
function requestOf(
  { key, method, path, body }: BatchOperation,
  if_match: string | undefined,
  context: Context,
): Request {
  const headers = new Headers({ 'Idempotency-Key': key })
  for (const name of SHARED_HEADERS) {
    const value = context.req.header(name)
    if (value !== undefined) headers.set(name, value)
  }
  if (if_match !== undefined) setIfMatch(headers, if_match)
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  const request = new Request(new URL(path, context.req.url), { method, headers })
  if (body !== undefined) setParsedBody(request, body)
  return request
}

/** Throws a 400 HttpError for a text that no header can have. */
function setIfMatch(headers: Headers, if_match: string): void {
  try {
    headers.set('If-Match', if_match)
  } catch {
    throw malformedIfMatch()
  }
}

async function answerOf(
  key: string,
  answer: Promise<Response>,
): Promise<{ result: Result; bytes: number }> {
  const response = await answer
  const text = await response.text()
  const headers = RESULT_HEADERS.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  const { status } = response
  const result = { key, status, headers: Object.fromEntries(headers), body: bodyOf(text) }
  return { result, bytes: Buffer.byteLength(text) }
}

const isSuccess = ({ status }: Pick<Result, 'status'>) => status !== null && status < 300

/** The version of the record that the operation has changed, as an ETag; undefined where its answer has none. */
function versionIn(operation: BatchOperation, body: unknown): string | undefined {
  const { data } = (body ?? {}) as { data?: Record<string, unknown> }
  const version = data && rowOf(operation)?.offlinePolicy?.version?.(data)
  return version === undefined ? undefined : etagOf(version)
}
