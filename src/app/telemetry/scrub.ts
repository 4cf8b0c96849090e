// Removes user text and names from error reports: what failed and where may leave the device, nothing
// else.
import { pagePath } from './page-path.ts'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Removes URLs, tokens, quoted text, query strings and `names` (those known of the signed-in user) from
 * a message.
 */
export function scrub(text: string, names: readonly string[]): string {
  const redacted = text
    .replaceAll(/https?:\/\/[^\s"'<>)]+/g, scrubUrl)
    // From the first sign of a word: from each one, a long word would take quadratic time.
    .replaceAll(/(?<![^\s@"'<>()])[^\s@"'<>()]+@[^\s@"'<>()]+/g, '[email]')
    .replaceAll(/\bBearer\s+\S+/gi, '[token]')
    .replaceAll(/(?<=\S)[?#][\w-]+=\S*/g, '')
    // Greedy: quoted text may itself contain quotes.
    .replaceAll(/(["`]).*\1/gs, '[quoted]')
    // A single word is a property name and stays; anything longer may be user text.
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

/** A page URL without user text; the URL of a build file stays as it is. */
export function scrubUrl(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url) return '[address]'
  return url.origin + (/^\/(?:assets\/|sw\.js$)/.test(url.pathname) ? url.pathname : pagePath(url))
}

const escapeRegExp = (name: string) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
