// Sort keys of records: a moved record gets a number between its new neighbours.

interface Placed {
  id: string
  position: number
}

/** Compares by position, then by id, so that the order is stable. */
export const byPosition = (a: Placed, b: Placed): number =>
  a.position - b.position || (a.id < b.id ? -1 : 1)

/** A position after all of them. */
export const nextPosition = (placed: readonly Placed[]): number =>
  Math.floor(Math.max(0, ...placed.map(({ position }) => position))) + 1

/** The position that moves the record at index `from` of `ordered` to index `to`. */
export function positionAt(ordered: readonly Placed[], from: number, to: number): number {
  const others = ordered.filter((_, at) => at !== from)
  const before = others[to - 1]?.position
  const after = others[to]?.position
  if (after === undefined) return nextPosition(others)
  return before === undefined ? after - 1 : (before + after) / 2
}
