// What of an error may leave the device: what broke and where, never what somebody wrote or is called.
import { pagePath } from './page-path.ts'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * A sentence without addresses, tokens, quoted passages, query strings, and without `names`: those that
 * are known of whoever is signed in.
 */
export function scrub(text: string, names: readonly string[]): string {
  const redacted = text
    .replaceAll(/https?:\/\/[^\s"'<>)]+/g, scrubUrl)
    .replaceAll(/[^\s@"'<>()]+@[^\s@"'<>()]+/g, '[email]')
    .replaceAll(/\bBearer\s+\S+/gi, '[token]')
    .replaceAll(/(?<=\S)[?#][\w-]+=\S*/g, '')
    // From the first mark to the last: what is quoted may hold such marks itself.
    .replaceAll(/(["`]).*\1/gs, '[quoted]')
    // A name of a property is one word, and stays; anything longer may have been written by somebody.
    .replaceAll(/(?<!\w)'(.*?)'(?!\w)/gs, (quoted, inner: string) =>
      /^[\w$.-]{1,40}$/.test(inner) ? quoted : '[quoted]',
    )
    .replaceAll(/[\w-]{24,}/g, (word) => (/\d/.test(word) && !UUID.test(word) ? '[token]' : word))
  return names
    .flatMap((name) => [name, ...name.split(/\s+/)])
    .filter((name) => name.length > 2)
    .reduce(
      (left, name) => left.replaceAll(new RegExp(escapeRegExp(name), 'gi'), '[name]'),
      redacted,
    )
}

/** An address of a page, without what may have been written by somebody; a file of the build as it is called. */
export function scrubUrl(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url) return '[address]'
  return url.origin + (/^\/(?:assets\/|sw\.js$)/.test(url.pathname) ? url.pathname : pagePath(url))
}

const escapeRegExp = (name: string) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
