// If-Match on a record's version: a write that was based on something older is refused.
import { badRequest, staleVersion } from '../errors/http-error.ts'

const HEADER = /^(?:\*|(?:W\/)?"\d{1,16}"(?:\s*,\s*(?:W\/)?"\d{1,16}")*)$/

/** A tag may come back weak: compressing an answer weakens it on the way. */
export const etagOf = (version: number): string => `"${version}"`

/** Throws a 400 Refusal when the header is malformed, and a 412 one with the record when it names another version. */
export function requireMatch(ifMatch: string | null, record: { version?: number }): void {
  if (ifMatch === null) return
  if (!HEADER.test(ifMatch)) throw badRequest('If-Match must be the ETag of the record.')
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (ifMatch !== '*' && !tags.includes(etagOf(record.version ?? 0))) throw staleVersion(record)
}
