// The outcome of a call, and what is read from an error response.
import type { UnreadValue } from '../../../../contract/schemas/read-records.ts'
import { MAX_DELAY_MS, type OperationError } from '../operation.ts'
import type { ApiCall, NetworkResponse } from '../ports.ts'
import { readErrorBody } from '../../../../contract/text/read-errors.ts'

/** The outcome of a call. */
export type Outcome =
  /**
   * A 2xx response, validated by the call's schema; `unread` are the values that could not be read;
   * `raw` is the body as the server wrote it, where that was asked for. `isRead`: it is no answer to this call, but
   * the record as it was read afterwards.
   */
  | {
      kind: 'answered'
      value: unknown
      unread?: readonly UnreadValue[]
      raw?: unknown
      isRead?: boolean
    }
  /**
   * An error response that a retry does not change; `data` and `changed_by` are the body's fields of that
   * name.
   */
  | ({ kind: 'refused'; isJson?: boolean } & ErrorDetails)
  /**
   * The server is reachable but cannot answer now; `retryAfterMs` where it sent Retry-After. `isDenied`: it answers
   * 401 to tokens with which it answers other calls.
   */
  | { kind: 'busy'; error: OperationError; retryAfterMs?: number; isDenied?: boolean }
  /** The caller is not the signed-in user any more. Nothing was sent, or the tokens were rejected. */
  | { kind: 'signed-out' }
  /**
   * No response of this server: none arrived, or one of another origin, for example a captive portal.
   * `notUnderstood`: the server answers, and not as agreed; `isTaken`: with 2xx, to this very call.
   * `isForeign`: a response arrived, which may be one of another origin. `isUnread`: the record to be changed
   * could not be read before, and nothing was sent; `isAbsent`: its list lacked it. `isRefused`: the call itself
   * was answered with 401 and had no effect; it is the tokens that could not be refreshed.
   */
  | {
      kind: 'unreachable'
      notUnderstood?: true
      isTaken?: true
      isForeign?: true
      isUnread?: true
      isAbsent?: true | undefined
      isRefused?: true
    }

export const UNREACHABLE = { kind: 'unreachable' } as const
export const NOT_UNDERSTOOD = { kind: 'unreachable', notUnderstood: true } as const
const FOREIGN = { ...UNREACHABLE, isForeign: true } as const
const TAKEN = { ...NOT_UNDERSTOOD, isTaken: true } as const

interface ErrorDetails {
  error: OperationError
  /** `error` of the body, which a token endpoint sends (RFC 6749, 5.2). */
  oauth_error?: string
  data?: unknown
  changed_by?: Record<string, unknown>
}

/** A number of 16 digits or more may be an integer that JavaScript cannot hold. */
const LONG_NUMBER = /[:[,]\s*-?\d{16}/

/** Long integers become strings of their digits, or null where the runtime does not pass their source. */
const keepDigits = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? (context?.source ?? null) : value

/** The parsed body; undefined when it is not JSON. */
export const parseJson = ({ text }: NetworkResponse): unknown => {
  try {
    return JSON.parse(text, LONG_NUMBER.test(text) ? keepDigits : undefined)
  } catch {
    return undefined
  }
}

/** Writes a number as its digits, where the runtime can. */
const { rawJSON, isRawJSON } = JSON as {
  rawJSON?: (text: string) => unknown
  isRawJSON?: (value: unknown) => boolean
}

/** The integer with these digits as JSON writes it; the digits as text where the runtime cannot. */
export const integerOf = (digits: string): unknown =>
  Number.isSafeInteger(Number(digits)) ? Number(digits) : (rawJSON?.(digits) ?? digits)

/** Whether `parseRaw` read it as an integer that JavaScript cannot hold. */
export const isLongInteger = (value: unknown): boolean => isRawJSON?.(value) === true

/**
 * The parsed body, to be written back as it came: long integers keep their digits, or are left out. Undefined when
 * it is not JSON.
 */
export const parseRaw = ({ text }: NetworkResponse): unknown => {
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
      Number.isInteger(value) && !Number.isSafeInteger(value)
        ? context?.source === undefined
          ? undefined
          : rawJSON?.(context.source)
        : value,
    )
  } catch {
    return undefined
  }
}

/** Whether the response declares JSON. */
const isJson = (response: NetworkResponse) =>
  /^application\/(?:[\w.+-]+\+)?json\b/i.test(response.header('content-type') ?? '')

/** Whether it has a body, of JSON. */
export const isJsonBody = (response: NetworkResponse) => response.text !== '' && isJson(response)

/** Whether it is JSON under another type: the server answers, and not as agreed. */
const isOtherJson = (response: NetworkResponse): boolean =>
  !isHtml(response) && typeof parseJson(response) === 'object'

/** Whether the response is a web page. */
const isHtml = (response: NetworkResponse): boolean =>
  /^text\/html\b/i.test(response.header('content-type') ?? '')

/** `Retry-After` (seconds or a date, RFC 9110, 10.2.3) in milliseconds, at most MAX_DELAY_MS. */
function retryAfter(response: NetworkResponse, now: number): number | undefined {
  const value = response.header('retry-after')
  if (value === null || value === '') return undefined
  // A date is compared with the server's own clock, as the device's may be wrong.
  const sent = Date.parse(response.header('date') ?? '')
  // Browsers also take numbers such as “-1” and “1.5” for dates.
  const date = /^[a-z]/i.test(value) ? Date.parse(value) : Number.NaN
  const wait = /^\d+$/.test(value)
    ? Number(value) * 1_000
    : date - (Number.isNaN(sent) ? now : sent)
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), MAX_DELAY_MS)
}

/** Reads an error response; see `readErrorBody` for shapes other than the contract's. */
function readError(response: NetworkResponse): ErrorDetails {
  const json = parseJson(response)
  const body = typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {}
  const { code, error, data, changed_by } = body
  const { message, fields } = readErrorBody(body)
  return {
    error: {
      status: response.status,
      message,
      ...(typeof code === 'string' && { code }),
      ...(Object.keys(fields).length > 0 && { errors: fields }),
    },
    ...(typeof error === 'string' && { oauth_error: error }),
    ...(data !== undefined && { data }),
    ...(typeof changed_by === 'object' && changed_by !== null && { changed_by: { ...changed_by } }),
  }
}

const RETRYABLE_STATUSES = new Set([408, 425, 429])

/** The outcome of a call that was answered with an error. `now`: see `retryAfter`. */
function readFailure(response: NetworkResponse, now: number): Outcome {
  const { status } = response
  const after = retryAfter(response, now)
  const failure = readError(response)
  if (status >= 500 || RETRYABLE_STATUSES.has(status) || (status === 409 && after !== undefined))
    return {
      kind: 'busy',
      error: failure.error,
      ...(after !== undefined && { retryAfterMs: after }),
    }
  return { kind: 'refused', ...failure, isJson: isJson(response) }
}

/** Whether the server refused the access token. */
export const isUnauthenticated = (outcome: Outcome): outcome is Outcome & { kind: 'refused' } =>
  outcome.kind === 'refused' && outcome.error.status === 401

const isMissing = (status: number) => status === 404 || status === 410

/**
 * The API never redirects, never forbids with a page, and says in JSON what is not there: anything else is a response
 * of a portal, or of a proxy whose server is starting. With `isAbsence` a 404 or 410 of any form is the server's.
 */
function isForeign(response: NetworkResponse, isAbsence: boolean): boolean {
  const { status } = response
  if (!isMissing(status)) return status < 400 || (status === 403 && isHtml(response))
  const body = parseJson(response)
  return !isAbsence && (typeof body !== 'object' || body === null)
}

interface Reading {
  id: string | undefined
  now: number
  isAbsence?: boolean
  onRead: (raw: unknown) => void
}

/**
 * The outcome of a call with `id` in its path that was answered with that response. `onRead` is called with the JSON
 * of one that is as agreed. `now`: see `retryAfter`; `isAbsence`: see `isForeign`.
 */
export function classify(
  call: ApiCall,
  response: NetworkResponse,
  { id, now, isAbsence = false, onRead }: Reading,
): Outcome {
  const { status } = response
  if (status >= 200 && status < 300) {
    if (status === 204 || response.text === '') {
      // Once it is known to be the server's, a row can take it for nothing.
      const empty = call.read(isAbsence ? '' : undefined)
      if (empty.ok) return { kind: 'answered', value: empty.value }
      // A portal may answer an empty page to a read.
      return call.method === 'GET' ? FOREIGN : TAKEN
    }
    if (!isJson(response)) return isOtherJson(response) ? NOT_UNDERSTOOD : FOREIGN
    const raw = parseJson(response)
    const parsed = call.read(raw, id)
    if (!parsed.ok) return raw === undefined || call.method === 'GET' ? NOT_UNDERSTOOD : TAKEN
    onRead(LONG_NUMBER.test(response.text) ? parseRaw(response) : raw)
    const { value, unread } = parsed
    return { kind: 'answered', value, ...(unread && { unread }) }
  }
  return isForeign(response, isAbsence) ? FOREIGN : readFailure(response, now)
}

/**
 * The outcome of a response, by `read`. A captive portal answers all calls alike. So where the server answers another
 * call, an answer without JSON is its own: it counts for a call as a whole, and never for a record. `reachesServer`:
 * makes such a call; undefined where none can be made.
 */
export async function confirmOutcome(
  { capability, identifies, method, offlinePolicy, path }: ApiCall,
  { status }: NetworkResponse,
  read: (isAbsence: boolean) => Outcome,
  reachesServer: (() => Promise<boolean>) | undefined,
): Promise<Outcome> {
  const isOptional = capability !== undefined && !offlinePolicy
  const isRead = method === 'GET'
  const outcome = read(isOptional && isRead && !reachesServer)
  if (outcome.kind !== 'unreachable' || !outcome.isForeign) return outcome
  const isAbsence = isOptional && isMissing(status)
  // It may be a proxy's answer. This call counts as refused, but its capability stays, so it is tried again.
  if (isAbsence && !reachesServer) return { kind: 'refused', error: { status, message: '' } }
  const isOther = !identifies && (isRead || isAbsence)
  if (!isOther || !(await reachesServer?.())) return outcome
  const own = read(!path.includes('{'))
  return own.kind === 'unreachable' ? NOT_UNDERSTOOD : own
}
