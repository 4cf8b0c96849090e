// A question of an operation: the same field was changed by others. Pure: what is asked, what may be
// chosen, and what the answer keeps.
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
  /** What its author saw before the change; undefined where that is not known. */
  before: unknown
  theirs: unknown
  /** False when the record cannot take mine any more: its status leads elsewhere by now. */
  possible: boolean
}

/** They say how a status was reached, and follow its choice. */
const OF_STATUS: readonly string[] = ['outcome', 'close_note']

/** What is asked, field by field. */
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

/** The fields to say all the same, when `mine` were chosen. */
export function resolvedFields({ conflict }: Pick<Operation, 'conflict'>, mine: readonly string[]) {
  return (conflict?.fields ?? []).filter(
    (field) => mine.includes(field) || (mine.includes('status') && OF_STATUS.includes(field)),
  )
}

/** Whether words go out beside what is asked. */
export const hasNote = (operation: Pick<Operation, 'input'>) => bodyOf(operation) !== ''

/** The update that last set a plan's field to `value`; undefined where none on the device did. */
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
