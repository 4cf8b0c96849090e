// The open page as analytics may see it: the path with its ids, without any user text.

/**
 * Parameters that select a part of a screen. Others may hold user text: a search, a return path, a
 * token, the id of a person.
 */
const SAFE_PARAMS = (
  'view show edit new print step sort template account open renewals review ' +
  'import forgotten status health tier risk renewal end group'
).split(' ')
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
/** A word of the app: lower case, and too short for a token. */
const SAFE_WORD = /^-?[a-z][a-z_-]{0,23}$/

/** The page of a record. Servers number records, or name them by a short text of their own. */
const RECORD = /^\/(?:success-plans|accounts)\/[\w-]{1,64}$/

const isHarmless = (text: string) =>
  SAFE_WORD.test(text) || /^\d{0,12}$/.test(text) || UUID.test(text)

/**
 * Path and parameters of a URL. Segments that are neither words of the app nor ids become `…`; other
 * parameters are dropped.
 */
export function pagePath({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
  const segments = pathname.split('/').map((part) => (isHarmless(part) ? part : '…'))
  const path = RECORD.test(pathname) ? pathname : segments.join('/')
  const params = [...new URLSearchParams(search)]
    .filter(([name, value]) => SAFE_PARAMS.includes(name) && isHarmless(value))
    .map(([name, value]) => (value === '' ? name : `${name}=${value}`))
  return params.length === 0 ? path : `${path}?${params.join('&')}`
}
