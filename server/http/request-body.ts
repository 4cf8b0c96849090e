// Reads request bodies: JSON of at most 1 MiB, or less for some calls, in well-formed UTF-8.
import type { Context } from 'hono'
import { HttpError, badRequest } from '../errors/http-error.ts'

const MAX_BODY_BYTES = 1024 * 1024
/** For calls without a sign-in: their forms are small, and anyone could hold memory with large ones. */
export const MAX_FORM_BYTES = 16 * 1024
/** Bodies up to this size are not counted, so that a sign-in is always possible. */
const SMALL_BYTES = MAX_FORM_BYTES
const tooLarge = (maxBytes: number) => {
  const limit = maxBytes < MAX_BODY_BYTES ? `${maxBytes / 1024} KiB` : '1 MiB'
  return new HttpError(413, { message: `The request is larger than ${limit}.` })
}

/**
 * The body's bytes. Throws an HttpError: 413 as soon as there are more than `maxBytes`, 503 where the bodies in memory
 * have too many (see `limitBodies`).
 */
export async function readBytes(context: Context, maxBytes = MAX_BODY_BYTES): Promise<Uint8Array> {
  const request = context.req.raw
  const contentLength = request.headers.get('Content-Length')
  const length = Number(contentLength ?? Infinity)
  if (contentLength !== null && length > maxBytes) throw tooLarge(maxBytes)
  // HTTP limits a body to its Content-Length, so it need not be counted while streaming.
  if (length <= SMALL_BYTES) return new Uint8Array(await request.arrayBuffer())
  const count = context.get('count_body')
  const chunks: Uint8Array[] = []
  let size = 0
  // Counted as it arrives: what is only announced takes no memory, and must not keep others out.
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    if (size > SMALL_BYTES) count?.(size)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The media type of a request, without parameters, in lower case. */
export const mediaType = (request: Request): string =>
  (request.headers.get('Content-Type') ?? '').split(';', 1).join('').trim().toLowerCase()

/** The bytes as text. Throws a 400 HttpError when they are not UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw badRequest('The request is not UTF-8.')
  }
}

const parsedBodies = new WeakMap<Request, { value: unknown }>()

/**
 * Sets the body of a request that is a part of another request, already parsed. It is not serialised for that:
 * `JSON.stringify` cannot write some numbers, and recurses into each level.
 */
export function setParsedBody(request: Request, value: unknown): void {
  parsedBodies.set(request, { value })
}

/** The bytes as a JSON value. Throws an HttpError: 415 for another media type, 400 for malformed JSON. */
export function decodeJson(request: Request, bytes: Uint8Array): unknown {
  if (!/^application\/(?:[\w.-]+\+)?json$/.test(mediaType(request)))
    throw new HttpError(415, { message: 'Send JSON, with Content-Type: application/json.' })
  const parsed = parsedBodies.get(request)
  if (parsed) return parsed.value
  const text = decodeText(bytes)
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw badRequest('The request is not JSON.')
  }
}
