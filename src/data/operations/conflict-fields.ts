// Conflicts of an operation: which fields both sides changed, and what the user's choice sends. Pure.
import { transitionsFrom } from '../../../contract/rules.ts'
import type { SuccessPlanUpdate } from '../../../contract/schemas/success-plans.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { resourceOf } from '../../../contract/resources.ts'
import { subjectOf } from './operation-call.ts'
import { bodyOf } from './describe-operation.ts'

/** One field that both sides changed. */
export interface ConflictField {
  field: string
  mine: unknown
  /** The value before the user's change; undefined if unknown. */
  before: unknown
  theirs: unknown
  /** False if `mine` is a status that the current one cannot change to. */
  possible: boolean
}

/** Fields that belong to a status and follow the choice made for it. */
const OF_STATUS: readonly string[] = ['outcome', 'close_note']

/** The conflicting fields to ask about; empty without a conflict. */
export function conflictFields({
  endpoint,
  input,
  base,
  conflict,
}: Pick<Operation, 'endpoint' | 'input' | 'base' | 'conflict'>): ConflictField[] {
  if (!conflict) return []
  const body = (input.body ?? {}) as Record<string, unknown>
  const subject = subjectOf({ endpoint })
  const hasTransitions = subject !== undefined && resourceOf(subject).statusTransitions === true
  const status = conflict.fields.includes('status')
  return conflict.fields
    .filter((field) => !(status && OF_STATUS.includes(field)))
    .map((field) => ({
      field,
      mine: body[field],
      before: base?.fields[field],
      theirs: conflict.theirs[field],
      possible:
        field !== 'status' ||
        !hasTransitions ||
        (transitionsFrom(String(conflict.theirs[field])) as string[]).includes(String(body[field])),
    }))
}

/** The conflicting fields to send again, given the fields for which the user chose `mine`. */
export function resolvedFields({ conflict }: Pick<Operation, 'conflict'>, mine: readonly string[]) {
  return (conflict?.fields ?? []).filter(
    (field) => mine.includes(field) || (mine.includes('status') && OF_STATUS.includes(field)),
  )
}

/** Whether the operation has text, which is posted whatever the user chooses. */
export const hasNote = (operation: Pick<Operation, 'input'>) => bodyOf(operation) !== ''

/** The latest update that set a plan's field to `value`; undefined if none on the device did. */
export function setBy(
  updates: readonly SuccessPlanUpdate[],
  field: string,
  value: unknown,
): SuccessPlanUpdate | undefined {
  const setting = { progress: 'progress_to', status: 'status_to', health: 'health' } as const
  const column = Object.hasOwn(setting, field) ? setting[field as keyof typeof setting] : undefined
  if (column === undefined) return undefined
  const [last] = updates
    .filter((update) => update[column] === value)
    .toSorted((a, b) => Date.parse(b.written_at) - Date.parse(a.written_at))
  return last
}
