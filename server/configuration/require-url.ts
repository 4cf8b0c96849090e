// URLs of other servers, from the environment.
import { StartError } from '../errors/start-error.ts'

export const WEB_PROTOCOLS = ['https:', 'http:']

/** Before the first slash of the path: `fetch` refuses such a URL, and `https://a.example@b.example` misleads. */
const USER_INFO = /^https?:\/\/[^/?#\\]*@/i

/**
 * Returns `text` when it is a URL with one of the protocols, a host, and no user name where the protocol is one of
 * the web. `hasUser`: it may have one. Throws StartError otherwise; the message never repeats the value.
 */
export function requireUrl(
  name: string,
  text: string,
  protocols: readonly string[],
  { hasUser = false } = {},
): string {
  const url = URL.parse(text)
  // The parser would take `https:example.com` and `https:///example.com` as well.
  const hasHost = url?.protocol === 'mailto:' || /^[a-z]+:\/\/[^/\\]/i.test(text)
  if (!url || !protocols.includes(url.protocol) || !hasHost)
    throw new StartError(
      `${name} must be an address that begins with ${protocols.join('// or ')}//.`,
    )
  if (!hasUser && USER_INFO.test(text))
    throw new StartError(`${name} must be an address without a user name and password.`)
  return text
}
