import { LINKS } from '../../../contract/links.ts'

/** The token of that kind of link behind the `#` of an address; null when there is none. */
export const linkToken = (hash: string, kind: keyof typeof LINKS): string | null =>
  new URLSearchParams(hash.slice(1)).get(LINKS[kind].name)
