// Error responses: a status, a message and, for 422, messages by field.
import type { ErrorBody, FieldErrors } from '../../contract/errors.ts'
import { PLAN_LIMIT_REACHED, REAUTHENTICATION_REQUIRED } from '../../contract/values.ts'

/**
 * An error with its HTTP response. Thrown anywhere below a handler: the transaction is rolled back and
 * `status`, `body` and `headers` are sent.
 */
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

/** 400: the request is malformed. */
export const badRequest = (message: string) => new HttpError(400, { message })
/** 401: no access token, or one that is unknown, expired or revoked. */
export const unauthenticated = () => new HttpError(401, { message: 'Unauthenticated.' })
/** 403: the user is signed in but has no right to do this. */
export const forbidden = (message = 'You may not do this.') => new HttpError(403, { message })
/** 404. The same for a missing record and for one of another organisation, so that ids cannot be probed. */
export const notFound = () => new HttpError(404, { message: 'Not Found' })

/** 422 with messages by field; the first one is also the message of the whole. */
export const invalid = (errors: FieldErrors) => {
  const [first = 'The request is not valid.'] = Object.values(errors).flat()
  return new HttpError(422, { message: first, errors })
}

/**
 * 412: the record was changed after the version in `If-Match`. Carries the current record as `data` and, where
 * it is known, who set which field since then.
 */
export const staleVersion = (record: unknown, changed_by?: Record<string, string | null>) =>
  new HttpError(412, {
    message: 'Someone else changed this.',
    data: record,
    ...(changed_by && { changed_by }),
  })

/** 403 with code `plan_limit_reached`: the organisation's plan allows no more of `what`. */
export const limitReached = (what: string, limit: number) =>
  new HttpError(403, {
    message: `The Free plan includes ${limit} ${what}. Upgrade to add more.`,
    code: PLAN_LIMIT_REACHED,
  })

/** 409, 429 or 503 with `Retry-After`, in whole seconds and at least 1. `field`: which one the message is about. */
export function retryAfter(
  status: 409 | 429 | 503,
  message: string,
  seconds: number,
  field?: string,
): HttpError {
  const body = { message, ...(field !== undefined && { errors: { [field]: [message] } }) }
  return new HttpError(status, body, { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) })
}

/** 503 with `Retry-After: 10`: an external service that is needed does not respond. */
export const unavailable = (message: string) =>
  new HttpError(503, { message }, { 'Retry-After': '10' })

/** 403 with code `reauthentication_required`: the user signed in too long ago for this. */
export const reauthenticationRequired = () =>
  new HttpError(403, {
    message: 'Enter your password to change this.',
    code: REAUTHENTICATION_REQUIRED,
  })
