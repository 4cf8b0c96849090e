// What a screen shows of records: what the server said, with what was said here since.
import type { Operation } from '../sync/core/operation.ts'

/** The id of the record that an operation makes, changes or adds to. */
export const recordOf = ({ input }: Pick<Operation, 'input'>): string | undefined =>
  input.path?.id ?? (input.body as { id?: string } | undefined)?.id

interface Overlay<Record> {
  /** The call that makes such records, and the one that changes them. */
  creation: string
  edit: string
  /** The record as its creation says it; undefined where that is not possible. */
  fromCreate: (operation: Operation) => Record | undefined
  /** The record as an edit leaves it. */
  applyEdit: (record: Record, operation: Operation) => Record
}

/**
 * The records of a collection with everything said here folded in, in the order of saying. One that
 * nothing was said about stays the same object, as does the whole list. A refused edit changes
 * nothing; a refused new record stays: else its text would be out of reach.
 */
export function applyOperations<R extends { id: string; version: number }>(
  cached: readonly R[],
  operations: readonly Operation[],
  { creation, edit, fromCreate: drafted, applyEdit: edited }: Overlay<R>,
): readonly R[] {
  const about = operations.filter(({ endpoint }) => endpoint === creation || endpoint === edit)
  if (about.length === 0) return cached
  const records = new Map(cached.map((record) => [record.id, record]))
  for (const operation of about) {
    const known = records.get(recordOf(operation) ?? '')
    // The server's record, which the engine has validated against the call's schema.
    const answer =
      operation.state === 'acknowledged' ? (operation.answer as R | undefined) : undefined
    const now =
      operation.endpoint === creation
        ? (known ?? answer ?? drafted(operation))
        : known && afterEdit(known, answer, operation, edited)
    if (now) records.set(now.id, now)
  }
  return [...records.values()]
}

function afterEdit<R extends { version: number }>(
  known: R,
  answer: R | undefined,
  operation: Operation,
  edited: (record: R, operation: Operation) => R,
): R {
  if (operation.state === 'attention') return known
  // The copy on the device is that of the answer, or a later one; or the server counts no versions.
  if (answer) return answer.version > known.version || answer.version === 0 ? answer : known
  return edited(known, operation)
}

type DefinedFields<Body> = { [Name in keyof Body]?: Exclude<Body[Name], undefined> }

/** The fields that a request names, without those that it leaves out. */
export const definedFields = <Body extends object>(body: Body): DefinedFields<Body> =>
  Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== undefined),
  ) as DefinedFields<Body>
