// Why the server refused what was said, in words that lead on. Pure: one line for each kind of refusal.
import { PLAN_LIMIT_REACHED } from '../../../contract/errors.ts'
import type { Operation, OperationError } from '../../sync/core/operation.ts'
import { subjectOf } from '../../data/operation-call.ts'
import { fieldName } from '../../data/operations/field-labels.ts'
import { reasonMessages as messages } from '../../data/operations/messages.ts'

/**
 * What can be done: edit it where it was written, send it as it is, say it under a new key, or see
 * what a larger plan costs. Copying and discarding are always offered.
 */
type Recovery = 'edit' | 'resend' | 'resend-as-new' | 'plans'

export interface RejectionReason {
  text: string
  /** What is wrong with which field, where the server said so. */
  fields: { name: string; message: string }[]
  recoveries: readonly Recovery[]
}

/** Where it was said, as far as it matters for what can be done. */
export interface OperationContext {
  organisation: string
  /** Who can help, by name. */
  managers: readonly string[]
  /** Whether the user may buy a larger plan. */
  is_owner: boolean
}

/** Why the server refused it, and the ways on. `situation` is that of its own organisation. */
export function rejectionReason(
  operation: Pick<Operation, 'endpoint' | 'last_error'>,
  { organisation, managers, is_owner }: OperationContext,
): RejectionReason {
  const error = operation.last_error ?? { status: 0, message: '' }
  const subject = subjectOf(operation)
  const { status, code, errors = {} } = error
  if (status === 403 && code === PLAN_LIMIT_REACHED)
    return reason(
      [error.message || messages.limit, messages.room(subject)],
      is_owner ? ['resend', 'plans'] : ['resend'],
    )
  if (status === 403)
    return reason([messages.mayNot(organisation), messages.ask(managers)], ['resend'])
  if (status === 404) return reason([messages.gone(subject)], [])
  if (status === 413) return reason([messages.tooLarge], ['edit'])
  if (status === 409) return reason([messages.otherWords], [])
  if (status === 412) return reason([messages.moved], ['edit', 'resend'])
  if (status === 422 && KEY in errors) return reason([messages.keyUsed], ['resend-as-new'])
  if (status === 422) {
    const fields = Object.entries(errors).map(([field, messages]) => ({
      name: fieldName(field),
      message: messages.join(' '),
    }))
    const text = fields.length > 0 ? messages.invalid : serverMessage(error)
    return { text, fields, recoveries: ['edit', 'resend'] }
  }
  return reason([serverMessage(error)], ['edit', 'resend'])
}

/** Where the server names the header instead of a field. */
const KEY = 'Idempotency-Key'

const reason = (text: readonly string[], ways: readonly Recovery[]): RejectionReason => ({
  text: text.join(' '),
  fields: [],
  recoveries: ways,
})

const serverMessage = ({ message, status }: OperationError) =>
  messages.serverSaid(message || String(status))
