// Rules of deletions: nothing that another person wrote is deleted unseen, and no text that waits is deleted
// before it has arrived.
import type { Effect, ModelServer } from '../model-server.ts'
import type { Deletion } from '../model/deletions.ts'
import { bodyOf, type Fields, type LedgerEntry } from '../record-types.ts'

/** What others may have written in a record. Progress of an initiative follows from its actions. */
const WRITTEN = [
  'title',
  'name',
  'description',
  'success_criteria',
  'status',
  'health',
  'outcome',
  'close_note',
]

/** Whether an operation is done: a deletion also when its record was gone before. */
export const isDone = ({ applied, deletes }: LedgerEntry, server: ModelServer): boolean =>
  applied > 0 || (deletes !== undefined && server.deletedRecords.has(deletes))

/** Describes what a deletion should not have taken away; undefined without anything. */
export function wrongDeletion(
  entry: LedgerEntry,
  deletion: Deletion,
  { moves }: Effect,
  all: readonly LedgerEntry[],
): string | undefined {
  const news = newsIn(entry, deletion, moves, all)
  if (news) return `“${entry.text}” deleted ${news}, which its author had not seen`
  const left = textLeftBehind(entry, deletion, all)
  return left && `“${entry.text}” arrived before “${left.text}”, which belongs to its record`
}

function newsIn(
  { user_id, lane, order, committed_at, seen }: LedgerEntry,
  { collection, record, authors, lastUpdateByOthers }: Deletion,
  moves: number,
  all: readonly LedgerEntry[],
): string | undefined {
  if (!seen) return undefined
  const earlier = all.filter(
    (one) => one.lane === lane && (one.order < order || one.committed_at < committed_at),
  )
  const inView = (one: LedgerEntry): Fields[] => {
    const names = Object.keys(bodyOf(one))
    const isUndone = one.discarded || one.rejected
    return (one.seen ?? []).map((view) =>
      Object.fromEntries(Object.entries(view).filter(([name]) => isUndone || names.includes(name))),
    )
  }
  const known = [...seen, ...earlier.map(bodyOf), ...earlier.flatMap(inView)]
  const names = collection === 'success_plans' ? [...WRITTEN, 'progress'] : WRITTEN
  const field = names.find(
    (name) =>
      name in record &&
      authors[name] !== user_id &&
      known.every((one) => (one[name] ?? null) !== (record[name] ?? null)),
  )
  if (field) return `${field} ${String(record[field])}`
  // Another database numbers its versions in another way.
  const version = Math.max(...seen.map((one) => Number(one.version ?? 0)))
  return moves === 0 && lastUpdateByOthers > version ? 'an update' : undefined
}

/** An operation of the same author that was stored before the deletion, and goes with its record. */
function textLeftBehind(
  { user_id, organisation_id, order }: LedgerEntry,
  { ids }: Deletion,
  all: readonly LedgerEntry[],
): LedgerEntry | undefined {
  const isOpen = ({ applied, discarded, replaced }: LedgerEntry) =>
    applied === 0 && !discarded && !replaced
  /** It waits for what its author has to decide. */
  const isHeld = (one: LedgerEntry): boolean =>
    one.rejected ||
    one.waited ||
    all.some(
      (other) =>
        other !== one &&
        other.creates !== undefined &&
        one.mentions.includes(other.creates) &&
        isOpen(other) &&
        isHeld(other),
    )
  return all.find(
    (one) =>
      one.order < order &&
      one.user_id === user_id &&
      one.organisation_id === organisation_id &&
      one.deletes === undefined &&
      one.mentions.some((id) => ids.includes(id)) &&
      isOpen(one) &&
      !isHeld(one),
  )
}
