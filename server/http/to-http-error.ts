// What the database rejects, as an error response.
import { sqlState } from '../database/database.ts'
import { HttpError, retryAfter } from '../errors/http-error.ts'

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
    return retryAfter(409, 'Somebody else is changing this. Please try again.', 1)
  if (state === UNIQUE_VIOLATION)
    return new HttpError(422, { message: 'This exists already.', errors: {} })
  if (state === FOREIGN_KEY_VIOLATION)
    return new HttpError(422, { message: 'Something in the request does not exist.', errors: {} })
  return undefined
}
