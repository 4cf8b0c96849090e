// Which rows of a list are selected: single ones, ranges in the present order, or all. Pure.

/** The selected rows. */
export interface SelectedRows {
  ids: ReadonlySet<string>
  /** The range that was made last: where it begins and ends, and what was selected without it. */
  range?: { from: string; to: string; before: ReadonlySet<string> }
}

export const NONE_SELECTED: SelectedRows = { ids: new Set() }

/** The same rows with the ids that they have now. */
export function withIds(selected: SelectedRows, idNow: (id: string) => string): SelectedRows {
  const { ids, range } = selected
  if ([...ids].every((id) => idNow(id) === id)) return selected
  const setOf = (before: ReadonlySet<string>) => new Set([...before].map(idNow))
  return {
    ids: setOf(ids),
    ...(range && {
      range: { from: idNow(range.from), to: idNow(range.to), before: setOf(range.before) },
    }),
  }
}

/** Selects a row, or takes it out. A range can begin there. */
export function toggleRow({ ids }: SelectedRows, id: string): SelectedRows {
  const after = new Set(ids)
  if (!after.delete(id)) after.add(id)
  return { ids: after, range: { from: id, to: id, before: after } }
}

const selectRow = (selected: SelectedRows, id: string): SelectedRows => {
  const ids = new Set([...selected.ids, id])
  return { ids, range: { from: id, to: id, before: ids } }
}

/**
 * Selects all rows from the one that was toggled last to `id`, in place of an earlier range from there.
 * Selects only `id` if `order`, the present order of the list, has no such row.
 */
export function extendTo(
  selected: SelectedRows,
  id: string,
  order: readonly string[],
): SelectedRows {
  const { from = '', before = [] } = selected.range ?? {}
  const ends = [order.indexOf(from), order.indexOf(id)] as const
  const first = Math.min(...ends)
  if (first < 0) return selectRow(selected, id)
  const rows = order.slice(first, Math.max(...ends) + 1)
  const ids = new Set([...before, ...rows])
  return { ids, range: { from, to: id, before: new Set(before) } }
}

/** Extends a range by a step from row `from` to row `to`; begins at `from` if no range ends there. */
export const stepTo = (
  selected: SelectedRows,
  [from, to]: readonly [from: string, to: string],
  order: readonly string[],
): SelectedRows =>
  extendTo(selected.range?.to === from ? selected : selectRow(selected, from), to, order)

/** Selects all rows of `shown`; if all of them are selected already, takes them out. */
export function toggleAll({ ids }: SelectedRows, shown: readonly string[]): SelectedRows {
  const after = new Set([...ids, ...shown])
  if (after.size === ids.size) for (const id of shown) after.delete(id)
  return { ids: after }
}
