// Binds the endpoints of the table to their handlers. The order is: authenticate, find the organisation,
// validate, look up the idempotency key, handle, present.
import type { Context } from 'hono'
import type * as v from 'valibot'
import type { Answer, Endpoint, InputOf } from '../../contract/endpoint.ts'
import { validate } from '../../contract/errors.ts'
import { isUuid } from '../../contract/schemas/fields.ts'
import type { Tx } from '../database/connection.ts'
import {
  findStoredAnswer,
  fingerprint,
  readKey,
  storeAnswer,
  type HttpAnswer,
} from './idempotency.ts'
import { queryOf } from './list-query.ts'
import { findRefusedArrays } from './reject-arrays.ts'
import { present, toResponse } from './present.ts'
import { createAfterCommit } from '../database/after-commit.ts'
import { defaultMessage } from '../errors/default-messages.ts'
import { invalid, notFound } from '../errors/http-error.ts'
import { decodeJson, MAX_FORM_BYTES, readBytes } from './request-body.ts'
import { authenticate, limitNetwork, networkFrom, readOrganisationId } from './authenticate.ts'
import { identify } from './access/sender.ts'
import { requireSession } from './access/session.ts'
import { notAMember, type OrganisationScope } from '../domain/organisation.ts'
import type { Services } from './services.ts'
import type { SignedIn } from '../auth/tokens.ts'
import { userTurn } from '../auth/ways-in.ts'

type Validated<S> = [S] extends [v.GenericSchema] ? v.InferOutput<S> : undefined
type Part<E, Name extends string> = E extends { [K in Name]?: infer S }
  ? Validated<Exclude<S, undefined>>
  : undefined
type PathOf<E> = InputOf<E> extends { path: infer P } ? P : undefined

interface Input<E> {
  path: PathOf<E>
  query: Part<E, 'query'>
  body: Part<E, 'body'>
}

/** A request without authentication. */
export interface PublicCall<E> extends Input<E> {
  services: Services
  /** Network of the caller, for rate limits (see networkOf). */
  network: string
  /** As in X-Request-Id, for what is done later on. */
  request_id: string
}

/** A request of a signed-in user, within a transaction that commits when the handler returns. */
export interface UserCall<E> extends Input<E> {
  services: Services
  tx: Tx
  user: SignedIn
  /** Time of the request, ISO 8601. */
  now: string
  ifMatch: string | null
  /** As in X-Request-Id, for what is done later on. */
  request_id: string
  /** Adds a hook that runs after the commit, such as sending mail. */
  afterCommit: (work: () => Promise<void>) => void
}

/** A request of a member of the organisation that it names. */
export interface MemberCall<E> extends UserCall<E> {
  organisation: OrganisationScope
}

/**
 * What a handler returns, by the shape of the endpoint. `repeated`: the record already existed, status
 * 200.
 */
export type Result<E> = E extends { answer: infer A extends Answer }
  ? A extends { shape: 'one'; schema: infer S extends v.GenericSchema }
    ? { data: v.InferInput<S>; repeated?: boolean }
    : A extends { shape: 'list'; schema: infer S extends v.GenericSchema }
      ? { data: v.InferInput<S>[]; total: number }
      : A extends { shape: 'raw'; schema: infer S extends v.GenericSchema }
        ? v.InferInput<S>
        : void
  : never

/** An endpoint with its handler. `respond` throws an HttpError for error responses. */
export interface RouteHandler {
  row: Endpoint
  respond(services: Services, context: Context): Promise<Response>
}

/**
 * Binds an endpoint without authentication. The handler opens its own transactions. Requests with a body are
 * rate-limited by network; health checks are not. Throws an HttpError: 400, 413, 415, 422, 429.
 */
export function publicRoute<E extends Endpoint>(
  row: E,
  handle: (call: PublicCall<E>) => Promise<Result<E>>,
): RouteHandler {
  return {
    row,
    async respond(services, context) {
      const network = networkFrom(services, context)
      if (row.body) limitNetwork(services, network)
      const bytes = row.body ? await readBytes(context, MAX_FORM_BYTES) : undefined
      const call = { services, network, request_id: requestIdOf(context) }
      const result = await handle({ ...call, ...readInput(row, context, bytes) })
      return toResponse(present(row, result, context.req.url))
    },
  }
}

/** What `before` gets. It has transactions of its own, whose counts stay when the change is denied and rolled back. */
type Beginning<E> = Pick<UserCall<E>, 'services' | 'user' | 'body'> & {
  requireSession: (tx: Tx) => Promise<SignedIn>
}

/**
 * Binds an endpoint for any signed-in user. A change locks the user, and the organisation that `before` returns.
 * Throws an HttpError: 401, 429, those of `readInput` and of idempotency keys (400, 409, 422).
 */
export function userRoute<E extends Endpoint>(
  row: E,
  handle: (call: UserCall<E>) => Promise<Result<E>>,
  before?: (beginning: Beginning<E>) => Promise<string | undefined>,
): RouteHandler {
  return {
    row,
    async respond(services, context) {
      const found = await authenticate(services, context)
      const bytes = row.body ? await readBytes(context) : undefined
      const afterCommit = createAfterCommit()
      const about = { row, user_id: found.id, organisation_id: undefined }
      const isWrite = row.method !== 'GET'
      const current = (tx: Tx) => requireSession(services, context, tx, found.id)
      const response = await answerOnce(services, context, about, async (answer) => {
        const work = async (tx: Tx) => {
          const user = isWrite ? await current(tx) : found
          const call = {
            ...callOf(services, context, tx, user),
            ...readInput<E>(row, context, bytes),
          }
          return answer(tx, call, () => handle({ ...call, afterCommit: afterCommit.newAttempt() }))
        }
        if (!isWrite) return services.database.auth(work)
        const known = { services, user: found, requireSession: current }
        const organisation_id = await before?.({ ...known, ...readInput<E>(row, context, bytes) })
        const turn = userTurn(found.id, found.family_id, organisation_id)
        return services.database.authInTurn(turn, work)
      })
      await afterCommit.run()
      return response
    },
  }
}

/**
 * Binds an endpoint for members of the organisation in `X-organisation`, or of the one that `organisationIn`
 * reads from the body. Throws an HttpError: 400 for a missing organisation, 403 for a non-member, and those of
 * `userRoute`.
 */
export function memberRoute<E extends Endpoint>(
  row: E,
  handle: (call: MemberCall<E>) => Promise<Result<E>>,
  organisationIn?: (body: Input<E>['body']) => string,
): RouteHandler {
  return {
    row,
    async respond(services, context) {
      const sender = await identify(services, context)
      const { user_id } = sender
      const header = organisationIn ? undefined : readOrganisationId(context.req.raw)
      const bytes = row.body ? await readBytes(context) : undefined
      const organisation_id =
        header ?? organisationIn?.(readInput<E>(row, context, bytes).body) ?? ''
      const afterCommit = createAfterCommit()
      const isWrite = row.method !== 'GET'
      const response = await answerOnce(
        services,
        context,
        { row, user_id, organisation_id },
        (answer) =>
          sender.enter(
            organisation_id,
            isWrite ? 'write' : 'read',
            async (tx, user, organisation) => {
              // A repeated deletion of the organisation comes from a former member: its key is looked up first.
              if (!organisation && !context.req.header('Idempotency-Key')) throw notAMember()
              const { url } = context.req
              const kept = organisation && !isWrite && services.lists.find(organisation, url)
              if (kept) return { status: 200, body: kept, etag: null, replayed: false }
              const input = readInput<E>(row, context, bytes)
              let isOfVersion = false as boolean
              const answered = await answer(tx, input, async () => {
                if (!organisation) throw notAMember()
                const call = callOf(services, context, tx, user)
                const made = { ...call, afterCommit: afterCommit.newAttempt(), organisation }
                const result = await handle({ ...made, ...input })
                isOfVersion =
                  (result as { isOfVersion?: boolean } | undefined)?.isOfVersion === true
                return result
              })
              if (organisation && isOfVersion) services.lists.keep(organisation, url, answered.body)
              return answered
            },
          ),
      )
      await afterCommit.run()
      return response
    },
  }
}

const callOf = (services: Services, context: Context, tx: Tx, user: SignedIn) => ({
  services,
  tx,
  user,
  now: services.now().toISOString(),
  ifMatch: context.req.header('If-Match') ?? null,
  request_id: requestIdOf(context),
})

const requestIdOf = (context: Context): string => context.get('request_id')

type AnswerOnce = (
  tx: Tx,
  input: { body: unknown },
  handle: () => Promise<unknown>,
) => Promise<ReplayableAnswer>
type ReplayableAnswer = HttpAnswer & { replayed: boolean }

/**
 * Handles a request at most once for each idempotency key. The key is looked up before the handler (and so
 * before If-Match) and stored in the handler's transaction; an error response rolls back both.
 */
async function answerOnce(
  services: Services,
  context: Context,
  about: { row: Endpoint; user_id: string; organisation_id: string | undefined },
  transact: (answer: AnswerOnce) => Promise<ReplayableAnswer>,
): Promise<Response> {
  const { row, user_id, organisation_id } = about
  const { url } = context.req
  const key = row.method === 'GET' ? undefined : readKey(context.req.header('Idempotency-Key'))
  if (key === undefined)
    return toResponse(
      await transact(async (_tx, _input, handle) => ({
        ...present(row, await handle(), url),
        replayed: false,
      })),
    )
  const request = { user_id, organisation_id, key }
  const answered = await services.idempotency.run(request, () =>
    transact(async (tx, { body }, handle) => {
      const { pathname, search } = new URL(url)
      const request_hash = fingerprint({
        method: row.method,
        path: pathname,
        query: search || undefined,
        body,
        ifMatch: context.req.header('If-Match') ?? null,
      })
      const stored = await findStoredAnswer(tx, request, request_hash)
      if (stored) return { ...stored, replayed: true }
      const answer = present(row, await handle(), url)
      const created_at = services.now().toISOString()
      await storeAnswer(services, tx, request, { ...answer, request_hash, created_at })
      return { ...answer, replayed: false }
    }),
  )
  return toResponse(answered, answered.replayed ? { 'Idempotent-Replayed': 'true' } : {})
}

/**
 * Path, query and body, validated by the endpoint's schemas. Throws an HttpError: 404 for an id that is no UUID,
 * 400 and 415 for the body, 422 with messages by field.
 */
export function readInput<E extends Endpoint>(
  row: E,
  context: Context,
  bytes: Uint8Array | undefined,
): Input<E> {
  const path = context.req.param()
  if (Object.values(path).some((id) => !isUuid(id))) throw notFound()
  const lowered = Object.fromEntries(
    Object.entries(path).map(([name, id]) => [name, id.toLowerCase()]),
  )
  const query = row.query && validated(row.query, queryOf(context.req.url))
  const body =
    row.body && validated(row.body, decodeJson(context.req.raw, bytes ?? new Uint8Array()))
  // The values were validated by the schemas that the type is inferred from.
  return { path: lowered, query, body } as Input<E>
}

function validated(schema: v.GenericSchema, input: unknown): unknown {
  const [refused] = findRefusedArrays(schema, input)
  if (refused) throw invalid({ [refused.path || 'body']: [refused.message] })
  const result = validate(schema, input, defaultMessage)
  if (!result.ok) throw invalid(result.errors)
  return result.value
}
