// Conflicts of an operation: which fields both sides changed, and what the user's choice sends. Pure.
import { transitionsFrom } from '../../../contract/rules.ts'
import type { SuccessPlanUpdate } from '../../../contract/schemas/success-plans.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { resourceOf } from '../../../contract/resources.ts'
import { bodyFields, recordIdOf, subjectOf } from './operation-call.ts'
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

type Conflicting = Pick<Operation, 'endpoint' | 'input' | 'base' | 'conflict'>

/**
 * The conflicting fields to ask about; empty without a conflict. `waiting` are the operations that wait for
 * the answer, in queue order: `mine` is the last value among them.
 */
export function conflictFields(
  { endpoint, input, base, conflict }: Conflicting,
  waiting: readonly Pick<Operation, 'input'>[] = [],
): ConflictField[] {
  if (!conflict) return []
  const values = [input, ...waiting.map((one) => one.input)].map(bodyFields)
  const body = Object.fromEntries(values.flatMap((fields) => Object.entries(fields)))
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

/**
 * The question whose answer an unsent edit waits for: it is about a field that the edit sets. Undefined for
 * an edit with a note, which is sent without waiting, and for one that was written over the server's value.
 */
export function questionBefore(
  operation: Operation,
  operations: readonly Operation[],
): Operation | undefined {
  if (operation.state !== 'pending' || operation.attempts > 0 || hasNote(operation))
    return undefined
  const fields = bodyFields(operation.input)
  return operations.find(
    ({ conflict, ...question }) =>
      recordIdOf(question) === recordIdOf(operation) &&
      subjectOf(question) === subjectOf(operation) &&
      question.user_id === operation.user_id &&
      conflict?.fields.some((name) => fields[name] !== undefined),
  )
}

/** The operations that wait for the answer to `question`, in queue order. */
export const waitingFor = (question: Operation, operations: readonly Operation[]): Operation[] =>
  operations.filter((one) => questionBefore(one, [question]) !== undefined)

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
