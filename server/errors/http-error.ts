// How the server says no: a status, the words, and by field what to do (contract, Conventions).
import { PLAN_LIMIT_REACHED, type ErrorBody, type FieldErrors } from '../../contract/errors.ts'
import { sqlState } from '../database/database.ts'

/** Thrown anywhere under a handler: the transaction is rolled back and this is the answer. */
export class HttpError extends Error {
  override name = 'HttpError'
  readonly status: number
  readonly body: ErrorBody
  readonly headers: Record<string, string>

  constructor(status: number, body: ErrorBody, headers: Record<string, string> = {}) {
    super(body.message)
    this.status = status
    this.body = body
    this.headers = headers
  }
}

export const badRequest = (message: string) => new HttpError(400, { message })
export const unauthenticated = () => new HttpError(401, { message: 'Unauthenticated.' })
export const forbidden = (message = 'You may not do this.') => new HttpError(403, { message })
/** Not there, or another organisation's: never tell which. */
export const notFound = () => new HttpError(404, { message: 'Not Found' })

export const invalid = (errors: FieldErrors) => {
  const [first = 'The request is not valid.'] = Object.values(errors).flat()
  return new HttpError(422, { message: first, errors })
}

/** Changed meanwhile: carries the record as it is now. */
export const staleVersion = (record: unknown) =>
  new HttpError(412, { message: 'Someone else changed this.', data: record })

export const limitReached = (what: string, limit: number) =>
  new HttpError(403, {
    message: `The Free plan includes ${limit} ${what}. Upgrade to add more.`,
    code: PLAN_LIMIT_REACHED,
  })

export const retryAfter = (status: 409 | 429, message: string, seconds: number) =>
  new HttpError(status, { message }, { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) })

/** Somebody else who is needed for it does not answer. */
export const unavailable = (message: string) =>
  new HttpError(503, { message }, { 'Retry-After': '10' })

const UNIQUE_VIOLATION = '23505'
const FOREIGN_KEY_VIOLATION = '23503'
const CHECK_VIOLATION = '23514'
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * The net behind the schemas: what the database refuses about the values it was given is the
 * caller's to mend, and a row that others hold too long is worth another try. Undefined for an error that is the server's own.
 */
export function toHttpError(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error
  const state = sqlState(error) ?? ''
  if (state.startsWith('22') || state === CHECK_VIOLATION)
    return new HttpError(422, { message: 'A value in the request is not valid.', errors: {} })
  if (state === LOCK_NOT_AVAILABLE)
    return retryAfter(409, 'Someone else is changing this. Please try again.', 1)
  if (state === UNIQUE_VIOLATION)
    return new HttpError(422, { message: 'This already exists.', errors: {} })
  if (state === FOREIGN_KEY_VIOLATION)
    return new HttpError(422, { message: 'Something in the request does not exist.', errors: {} })
  return undefined
}
