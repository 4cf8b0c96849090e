// Rule 9: an operation does not overwrite a value that its author has not seen.
import type { Effect } from '../model-server.ts'
import { bodyOf, type LedgerEntry } from '../record-types.ts'

/**
 * Describes a value that the author of `entry` has overwritten unseen; undefined without one. What the
 * same device has set before counts as seen, and what it has shown to an edit that sets the field again.
 */
export function unseenOverwrite(
  { lane, order, committed_at, decided_at, seen, text }: LedgerEntry,
  { set, before }: Effect,
  entries: Iterable<LedgerEntry>,
): string | undefined {
  if (!seen) return undefined
  // An operation that replaces another one has its place, and may have been written after later ones.
  const isEarlier = (other: LedgerEntry, than = committed_at) =>
    other.order < order || (other.replaced && other.order === order) || other.committed_at < than
  const ofLane = [...entries].filter((other) => other.lane === lane)
  // A user who decides about an edit sees what was stored by then.
  const earlier = ofLane.filter((other) => isEarlier(other, Math.max(committed_at, decided_at)))
  // Set once more by an edit that waits behind this one: to the same value, or with the value in view.
  const replacesAware = (other: LedgerEntry, name: string, value: unknown) =>
    other.applied === 0 &&
    name in bodyOf(other) &&
    [bodyOf(other), ...(other.seen ?? [])].some((one) => (one[name] ?? null) === value)
  // What a discarded or rejected edit would have replaced is there again, also under a form that showed
  // the edit.
  const restored = earlier
    .filter(({ discarded, rejected }) => discarded || rejected)
    .flatMap((other) => other.seen ?? [])
  const known = [...seen, ...restored, ...earlier.map(bodyOf)]
  const unseen = Object.entries(set).find(
    ([name, value]) =>
      before[name] !== value &&
      known.every((one) => before[name] !== (one[name] ?? null)) &&
      !ofLane.some((other) => !isEarlier(other) && replacesAware(other, name, before[name])),
  )
  if (!unseen) return undefined
  const [name, value] = unseen
  return `“${text}” put ${name} ${String(value)} over ${String(before[name])}, which its author had not seen`
}
