// Which page is open, as others may know it: the path with its ids, and nothing that anybody wrote.

/** What says which part of a screen is open. All others may hold words: a search, a way back, a token. */
const SAFE_PARAMS = ['view', 'show', 'edit', 'new', 'print', 'step', 'sort', 'template', 'account']
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
/** A word of ours: in lower case, and too short for a token. */
const SAFE_WORD = /^-?[a-z][a-z_-]{0,23}$/

const isHarmless = (text: string) =>
  SAFE_WORD.test(text) || /^\d{0,12}$/.test(text) || UUID.test(text)

/** The full path of that address: segments and parameters that are words of ours or ids, the others as `…`. */
export function pagePath({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
  const path = pathname
    .split('/')
    .map((part) => (isHarmless(part) ? part : '…'))
    .join('/')
  const params = [...new URLSearchParams(search)]
    .filter(([name, value]) => SAFE_PARAMS.includes(name) && isHarmless(value))
    .map(([name, value]) => (value === '' ? name : `${name}=${value}`))
  return params.length === 0 ? path : `${path}?${params.join('&')}`
}
