import { LINKS } from '../../../contract/links.ts'

/** The token of that kind of link in a URL fragment; null if there is none. */
export const linkToken = (hash: string, kind: keyof typeof LINKS): string | null =>
  new URLSearchParams(hash.slice(1)).get(LINKS[kind].name)
