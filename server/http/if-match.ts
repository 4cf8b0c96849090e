// If-Match (RFC 9110, 13.1.1) on a record's version: a write that is based on an older version is rejected.
import { badRequest, staleVersion } from '../errors/http-error.ts'

const HEADER = /^(?:\*|(?:W\/)?"\d{1,16}"(?:\s*,\s*(?:W\/)?"\d{1,16}")*)$/

/** The strong ETag of a version. */
export const etagOf = (version: number): string => `"${version}"`

/**
 * Throws an HttpError: 400 when the header is malformed, 412 with the record when it names another version.
 * Weak tags match as well, because compression weakens the ETag of a response.
 */
export function requireMatch(ifMatch: string | null, record: { version?: number }): void {
  if (ifMatch === null) return
  if (!HEADER.test(ifMatch)) throw badRequest('If-Match must be the ETag of the record.')
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (ifMatch !== '*' && !tags.includes(etagOf(record.version ?? 0))) throw staleVersion(record)
}
