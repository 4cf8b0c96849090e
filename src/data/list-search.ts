// Long lists that are looked through at each key: sorted once, and their texts made ready once.

const sortCache = new WeakMap<object, Map<string, readonly unknown[]>>()

/** `items` in the order of that name, which `compare` makes once for the same items. */
export function memoSort<T>(
  items: readonly T[],
  name: string,
  compare: (a: T, b: T) => number,
): readonly T[] {
  const orders = sortCache.get(items) ?? new Map<string, readonly unknown[]>()
  sortCache.set(items, orders)
  const known = (orders.get(name) as readonly T[] | undefined) ?? items.toSorted(compare)
  orders.set(name, known)
  return known
}

/** Between two texts; nobody types it. */
const SEPARATOR = '\0'

/** All texts in one, in lower case, and where the text of each item ends in it. */
interface SearchIndex {
  by: unknown
  all: string
  ends: readonly number[]
}

const textCache = new WeakMap<object, SearchIndex>()

/**
 * The items of which one of the texts contains what was typed, whatever its case; all of them for
 * nothing. One long text is what an engine looks through fastest. `textsOf` may depend on `by` alone.
 */
export function filterByText<T>(
  items: readonly T[],
  typed: string,
  by: unknown,
  textsOf: (item: T) => readonly (string | undefined)[],
): readonly T[] {
  const sought = typed.trim().toLowerCase()
  if (sought === '') return items
  let known = textCache.get(items)
  if (known?.by !== by || !known) {
    const each = items.map((item) => [...textsOf(item), ''].join(SEPARATOR).toLowerCase())
    let end = 0
    known = { by, all: each.join(''), ends: each.map(({ length }) => (end += length)) }
    textCache.set(items, known)
  }
  const { all, ends } = known
  const found: T[] = []
  let index = 0
  for (let at = all.indexOf(sought); at !== -1; at = all.indexOf(sought, ends[index - 1])) {
    while ((ends[index] ?? Infinity) <= at) index += 1
    found.push(items[index] as T)
    index += 1
  }
  return found
}
