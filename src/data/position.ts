// Where records stand among their neighbours: one that moves gets a number between theirs.

interface Placed {
  id: string
  position: number
}

/** In their order; those with one number always in the same. */
export const byPosition = (a: Placed, b: Placed): number =>
  a.position - b.position || (a.id < b.id ? -1 : 1)

/** The number behind all of them. */
export const nextPosition = (placed: readonly Placed[]): number =>
  Math.floor(Math.max(0, ...placed.map(({ position }) => position))) + 1

/** The number with which the record at `from` comes to stand at `to`; `ordered` is how they stand now. */
export function positionAt(ordered: readonly Placed[], from: number, to: number): number {
  const others = ordered.filter((_, at) => at !== from)
  const before = others[to - 1]?.position
  const after = others[to]?.position
  if (after === undefined) return nextPosition(others)
  return before === undefined ? after - 1 : (before + after) / 2
}
