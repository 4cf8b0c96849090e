// Session, operations and capabilities belong to the server at one API address. At another one nothing
// of them is sent.
import type { ApiAddress } from '../ports.ts'

const withoutSlash = (url: string) => url.replace(/\/+$/, '')

/**
 * Whether `bound`, a base URL stored with a session or an operation, is that of the configured server, or a
 * former one of it. True for what earlier builds stored without a base URL, and before the configuration
 * has been read once.
 */
export function isSameServer(
  { baseUrl, formerBaseUrls = [], isUnknown }: ApiAddress,
  bound: string | undefined,
): boolean {
  if (bound === undefined || isUnknown) return true
  return [baseUrl, ...formerBaseUrls].map(withoutSlash).includes(withoutSlash(bound))
}
