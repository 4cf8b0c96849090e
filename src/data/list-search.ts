// Filtering long lists on each keystroke. Sort order and search text are cached per list.
import { foldText } from '../ui/text/fold-text.ts'

const sortCache = new WeakMap<object, Map<string, { by: unknown; sorted: readonly unknown[] }>>()

/**
 * `items` sorted with `compare`, cached per list and `name` of the order. `by` is what the order depends
 * on besides the items.
 */
export function memoSort<T>(
  items: readonly T[],
  name: string,
  compare: (a: T, b: T) => number,
  by?: unknown,
): readonly T[] {
  const orders = sortCache.get(items) ?? new Map<string, { by: unknown; sorted: readonly T[] }>()
  sortCache.set(items, orders)
  const known = orders.get(name)
  if (known?.by === by && known) return known.sorted as readonly T[]
  const sorted = items.toSorted(compare)
  orders.set(name, { by, sorted })
  return sorted
}

/** Separates texts, so that a match cannot span two; cannot be typed. */
const SEPARATOR = '\0'

/** The folded texts of each item. */
const textCache = new WeakMap<object, { by: unknown; texts: readonly string[] }>()

/**
 * The items with a text that contains `typed`, as `foldText` compares; all items if it is blank. The cache is keyed by
 * `items` and `by`, so `textsOf` must depend on nothing else.
 */
export function filterByText<T>(
  items: readonly T[],
  typed: string,
  by: unknown,
  textsOf: (item: T) => readonly (string | undefined)[],
): readonly T[] {
  const sought = foldText(typed).trim()
  if (sought === '') return items
  let known = textCache.get(items)
  if (known?.by !== by || !known) {
    known = { by, texts: items.map((item) => foldText(textsOf(item).join(SEPARATOR))) }
    textCache.set(items, known)
  }
  const { texts } = known
  return items.filter((_, at) => texts[at]?.includes(sought))
}
