// Binds a row of the endpoint table to its handler. In this order: who is calling, in which
// organisation, is the request valid, was it answered before, do it, present it.
import type { Context } from 'hono'
import type * as v from 'valibot'
import type { Answer, Endpoint, InputOf } from '../../contract/endpoint.ts'
import { validate } from '../../contract/errors.ts'
import { readQuery } from '../../contract/query-string.ts'
import type { Tx } from '../database/database.ts'
import {
  findStoredAnswer,
  fingerprint,
  readKey,
  storeAnswer,
  type HttpAnswer,
} from './idempotency.ts'
import { findUnexpectedArrays } from './reject-arrays.ts'
import { present, toResponse } from './present.ts'
import { createAfterCommit } from '../database/after-commit.ts'
import { invalid, notFound } from '../errors/http-error.ts'
import { decodeJson, readBytes } from './request-body.ts'
import { authenticate, enforceRateLimit, readOrganisationId } from './authenticate.ts'
import {
  findOrganisation,
  isUuid,
  notAMember,
  type OrganisationScope,
} from '../domain/organisation.ts'
import type { Services } from './services.ts'
import type { SignedIn } from '../auth/tokens.ts'

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

/** A call by anyone: nothing but its valid input, and where it came from. */
export interface PublicCall<E> extends Input<E> {
  services: Services
  /** Where the call came from, for limits. */
  address: string
  /** As in X-Request-Id, for what is done later on. */
  request_id: string
}

/** A call by a signed-in user, within a transaction that commits when the handler returns. */
export interface UserCall<E> extends Input<E> {
  services: Services
  tx: Tx
  user: SignedIn
  /** The instant of the call, ISO 8601. */
  now: string
  ifMatch: string | null
  /** As in X-Request-Id, for what is done later on. */
  request_id: string
  /** Does what must not happen unless the transaction commits, and after it: mail. */
  afterCommit: (work: () => Promise<void>) => void
}

/** A call by a member of the organisation that it names. */
export interface MemberCall<E> extends UserCall<E> {
  organisation: OrganisationScope
}

/** What a handler returns, by the shape of the row's answer. `repeated`: the record was there before (200). */
export type Result<E> = E extends { answer: infer A extends Answer }
  ? A extends { shape: 'one'; schema: infer S extends v.GenericSchema }
    ? { data: v.InferInput<S>; repeated?: boolean }
    : A extends { shape: 'list'; schema: infer S extends v.GenericSchema }
      ? { data: v.InferInput<S>[]; total: number }
      : A extends { shape: 'raw'; schema: infer S extends v.GenericSchema }
        ? v.InferInput<S>
        : void
  : never

/** A row of the table with what answers it. */
export interface RouteHandler {
  row: Endpoint
  respond(services: Services, context: Context): Promise<Response>
}

/**
 * Binds a row that anyone may call. It gets no transaction: opening one is up to the handler. Writes
 * are limited by address; a supervisor may ask for signs of life as often as it likes.
 */
export function publicRoute<E extends Endpoint>(
  row: E,
  handle: (call: PublicCall<E>) => Promise<Result<E>>,
): RouteHandler {
  return {
    row,
    async respond(services, context) {
      const address = addressOf(services, context)
      if (row.body) enforceRateLimit(services, address)
      const bytes = row.body ? await readBytes(context.req.raw) : undefined
      const call = { services, address, request_id: requestIdOf(context) }
      const result = await handle({ ...call, ...readInput(row, context, bytes) })
      return toResponse(present(row, result, context.req.url))
    },
  }
}

/** Binds a row that any signed-in user may call. */
export function userRoute<E extends Endpoint>(
  row: E,
  handle: (call: UserCall<E>) => Promise<Result<E>>,
): RouteHandler {
  return {
    row,
    async respond(services, context) {
      const user = await authenticate(services, context.req.raw)
      const bytes = row.body ? await readBytes(context.req.raw) : undefined
      const afterCommit = createAfterCommit()
      const about = { row, user, organisation_id: undefined }
      const response = await answerOnce(services, context, about, (answer) =>
        services.database.auth(async (tx) => {
          const input = readInput<E>(row, context, bytes)
          const call = callOf(services, context, tx, user)
          return answer(tx, input, () =>
            handle({ ...call, afterCommit: afterCommit.newAttempt(), ...input }),
          )
        }),
      )
      await afterCommit.run()
      return response
    },
  }
}

/**
 * Binds a row that the members of an organisation may call: that in X-organisation, or the one that the
 * body names.
 */
export function memberRoute<E extends Endpoint>(
  row: E,
  handle: (call: MemberCall<E>) => Promise<Result<E>>,
  organisationIn?: (body: Input<E>['body']) => string,
): RouteHandler {
  return {
    row,
    async respond(services, context) {
      const user = await authenticate(services, context.req.raw)
      const header = organisationIn ? undefined : readOrganisationId(context.req.raw)
      const bytes = row.body ? await readBytes(context.req.raw) : undefined
      const organisation_id =
        header ?? organisationIn?.(readInput<E>(row, context, bytes).body) ?? ''
      const afterCommit = createAfterCommit()
      const response = await answerOnce(
        services,
        context,
        { row, user, organisation_id },
        (answer) =>
          services.database.tenant(organisation_id, async (tx) => {
            const isWrite = row.method !== 'GET'
            const organisation = await findOrganisation(tx, user.id, organisation_id, isWrite)
            // Whoever deleted the organisation, and did not hear it, asks again as nobody's member.
            if (!organisation && !context.req.header('Idempotency-Key')) throw notAMember()
            const input = readInput<E>(row, context, bytes)
            return answer(tx, input, () => {
              if (!organisation) throw notAMember()
              const call = callOf(services, context, tx, user)
              return handle({
                ...call,
                afterCommit: afterCommit.newAttempt(),
                organisation,
                ...input,
              })
            })
          }),
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
 * Answers a request at most once for each idempotency key. The key is looked up before the handler
 * (and so before If-Match), and kept in the handler's transaction; a refusal rolls both back.
 */
async function answerOnce(
  services: Services,
  context: Context,
  about: { row: Endpoint; user: SignedIn; organisation_id: string | undefined },
  transact: (answer: AnswerOnce) => Promise<ReplayableAnswer>,
): Promise<Response> {
  const { row, user, organisation_id } = about
  const { url } = context.req
  const header = context.req.header('Idempotency-Key') ?? null
  const key = row.method === 'GET' ? undefined : readKey(header)
  if (key === undefined)
    return toResponse(
      await transact(async (_tx, _input, handle) => ({
        ...present(row, await handle(), url),
        replayed: false,
      })),
    )
  const request = { user_id: user.id, organisation_id, key }
  const answered = await services.idempotency.run(request, () =>
    transact(async (tx, { body }, handle) => {
      const request_hash = fingerprint({
        method: row.method,
        path: new URL(url).pathname,
        body,
        ifMatch: context.req.header('If-Match') ?? null,
      })
      const stored = await findStoredAnswer(tx, request, request_hash)
      if (stored) return { ...stored, replayed: true }
      const answer = present(row, await handle(), url)
      const created_at = services.now().toISOString()
      await storeAnswer(tx, request, { ...answer, request_hash, created_at })
      return { ...answer, replayed: false }
    }),
  )
  return toResponse(answered, answered.replayed ? { 'Idempotent-Replayed': 'true' } : {})
}

/** Path, query and body by the row's schemas. Throws Refusals: 404 for an id that cannot be one, 400, 415, 422. */
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
  // The row's own schemas made these values; its type is what they infer.
  return { path: lowered, query, body } as Input<E>
}

function queryOf(url: string) {
  try {
    return readQuery(new URL(url).search)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw invalid({ [error.message]: ['This parameter is not understood.'] })
  }
}

function validated(schema: v.GenericSchema, input: unknown): unknown {
  const [list] = findUnexpectedArrays(schema, input)
  if (list !== undefined) throw invalid({ [list || 'body']: ['Send an object.'] })
  const result = validate(schema, input)
  if (!result.ok) throw invalid(result.errors)
  return result.value
}

/** The caller's address; that of the proxy's client where a proxy is trusted. */
export function addressOf(services: Services, context: Context): string {
  const forwarded = services.trustProxy ? context.req.header('X-Forwarded-For') : undefined
  const { incoming } = (context.env ?? {}) as {
    incoming?: { socket?: { remoteAddress?: string } }
  }
  // The last address is the one that the trusted proxy itself has seen.
  return forwarded?.split(',').at(-1)?.trim() || (incoming?.socket?.remoteAddress ?? 'unknown')
}
