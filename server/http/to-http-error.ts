// Maps errors of the database to error responses.
import { DatabaseUnavailableError } from '../database/connection.ts'
import { isOutOfRoom, sqlState } from '../database/database.ts'
import { HttpError, retryAfter, unavailable } from '../errors/http-error.ts'
import { errorFields, log } from '../log.ts'

// SQLSTATE codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
const UNIQUE_VIOLATION = '23505'
const FOREIGN_KEY_VIOLATION = '23503'
const CHECK_VIOLATION = '23514'
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * The error response for an error that a handler threw. Values that the schemas let through and the
 * database rejects become 422, a lock timeout becomes 409, a database that is unreachable or has no room becomes 503.
 * Undefined for an internal error (500).
 */
function toHttpError(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error
  if (error instanceof DatabaseUnavailableError)
    return unavailable('The database is not responding. Please try again.')
  const state = sqlState(error) ?? ''
  if (isOutOfRoom(error)) return retryAfter(503, 'The server has no room left on its disk.', 60)
  if (/^(22|54)/.test(state) || state === CHECK_VIOLATION)
    return new HttpError(422, { message: 'A value in the request is not valid.', errors: {} })
  if (state === LOCK_NOT_AVAILABLE)
    return retryAfter(409, 'Someone else is changing this. Please try again.', 1)
  if (state === UNIQUE_VIOLATION)
    return new HttpError(422, { message: 'This already exists.', errors: {} })
  if (state === FOREIGN_KEY_VIOLATION)
    return new HttpError(422, {
      message: 'The request refers to a record that does not exist.',
      errors: {},
    })
  return undefined
}

/** The response for an error that a handler threw. An internal error is logged, and not described. */
export function errorResponse(error: unknown, request_id: string): Response {
  const httpError = toHttpError(error)
  if (httpError)
    return Response.json(httpError.body, { status: httpError.status, headers: httpError.headers })
  log('error', 'request failed', { request_id, ...errorFields(error) })
  return Response.json({ message: 'Internal Server Error', request_id }, { status: 500 })
}
