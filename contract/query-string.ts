// Query strings with bracket arrays: `filters[status][]=paused&filters[title]=R%26D`.

export type QueryValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | QueryValue[]
  | { [key: string]: QueryValue }

const encode = (text: string) => encodeURIComponent(text)

function* pairs(key: string, value: QueryValue): Generator<string> {
  if (value === null || value === undefined || value === '') return
  if (Array.isArray(value)) for (const item of value) yield* pairs(`${key}[]`, item)
  else if (typeof value === 'object')
    for (const [name, inner] of Object.entries(value))
      yield* pairs(`${key}[${encode(name)}]`, inner)
  else yield `${key}=${encode(String(value))}`
}

/**
 * Writes a query string without the leading `?`. Brackets are not encoded, values are; null and
 * empty values are omitted (specification, section 7).
 */
export function writeQuery(query: Record<string, QueryValue>): string {
  return Object.entries(query)
    .flatMap(([key, value]) => [...pairs(encode(key), value)])
    .join('&')
}

/** A parsed query: strings, arrays of strings and objects of those, with a null prototype. */
export type ParsedQuery = { [key: string]: string | string[] | ParsedQuery }

const MAX_DEPTH = 3

/**
 * Parses a query string with bracket names. Throws a RangeError that names the parameter if names
 * conflict (a value and an object, or the same single value twice) or nest deeper than three levels.
 */
export function readQuery(search: string): ParsedQuery {
  const root: ParsedQuery = Object.create(null) as ParsedQuery
  for (const [name, value] of new URLSearchParams(search)) {
    const [, head, rest] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? []
    if (head === undefined || rest === undefined) throw new RangeError(name)
    const path = [head, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map((match) => match[1] ?? '')]
    if (path.length > MAX_DEPTH) throw new RangeError(name)
    const isArray = path.length > 1 && path.at(-1) === ''
    if (isArray) path.pop()
    if (path.includes('')) throw new RangeError(name)
    let node = root
    for (const key of path.slice(0, -1)) {
      const next = (node[key] ??= Object.create(null) as ParsedQuery)
      if (typeof next === 'string' || Array.isArray(next)) throw new RangeError(name)
      node = next
    }
    const last = path.at(-1) ?? head
    const present = node[last]
    if (!isArray) {
      if (present !== undefined) throw new RangeError(name)
      node[last] = value
    } else if (present === undefined) node[last] = [value]
    else if (Array.isArray(present)) present.push(value)
    else throw new RangeError(name)
  }
  return root
}
