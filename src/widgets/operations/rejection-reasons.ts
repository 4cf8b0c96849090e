// Explains rejections and what the user can do about them. Pure: one line per kind of rejection.
import { PLAN_LIMIT_REACHED } from '../../../contract/values.ts'
import { readFieldErrors } from '../../../contract/text/read-errors.ts'
import type { Operation, OperationError } from '../../sync/core/operation.ts'
import { kindOf, subjectOf } from '../../data/operations/operation-call.ts'
import { fieldName } from '../../data/operations/field-labels.ts'
import { reasonMessages as messages } from '../../data/operations/messages.ts'

/**
 * What can be done: edit the operation, resend it unchanged, resend it under a new key, or compare
 * subscription plans. Copying and discarding are always offered.
 */
type Recovery = 'edit' | 'resend' | 'resend-as-new' | 'plans'

/** Why the server rejected an operation, and what the user can do. */
export interface RejectionReason {
  text: string
  /** Errors by field, if the server sent any. */
  fields: { name: string; message: string }[]
  recoveries: readonly Recovery[]
}

/** The organisation of an operation, as far as it affects what can be done. */
export interface OperationContext {
  organisation: string
  /** Names of members who can help. */
  managers: readonly string[]
  /** Whether the user may change the subscription. */
  is_owner: boolean
}

/**
 * Why the server rejected an operation, and what can be done. `context` belongs to the operation's
 * organisation.
 */
export function rejectionReason(
  operation: Pick<Operation, 'endpoint' | 'last_error'>,
  { organisation, managers, is_owner }: OperationContext,
): RejectionReason {
  const error = operation.last_error ?? { status: 0, message: '' }
  const subject = subjectOf(operation)
  const { status, code, errors = {} } = error
  if (status === 403 && code === PLAN_LIMIT_REACHED)
    return reason(
      [error.message || messages.limit, messages.makeRoom(subject)],
      is_owner ? ['resend', 'plans'] : ['resend'],
    )
  if (status === 403)
    return reason(
      [
        messages.forbidden(organisation),
        FORBIDDEN.test(error.message) ? messages.roleChanged : serverMessage(error),
        messages.askAdmin(managers),
      ],
      ['resend'],
    )
  if (code === 'not_kept') {
    // Of an update, the fields of its plan are named by what they become.
    const lost = Object.keys(errors).map((field) => fieldName(field.replace(/_to$/, '')))
    // What has no place on the server can only be copied.
    const isKeptOtherwise = Object.values(errors).some(([why]) => why !== NEVER_RETURNED)
    const isEdit = kindOf(operation) === 'update' && isKeptOtherwise
    return reason([messages.notKept(lost)], isEdit ? ['edit', 'resend'] : [])
  }
  if (code === 'not_deleted')
    return reason(
      [messages.notDeleted, ...(error.message ? [serverMessage(error)] : [])],
      ['resend'],
    )
  if (code === 'not_found') return reason([messages.notKept([])], ['resend'])
  if (code === 'undecided') return reason([messages.undecided], ['resend'])
  if (code === 'foreign_answer') return reason([messages.foreignAnswer], ['resend'])
  if (code === 'unreadable') return reason([messages.unreadable], ['resend'])
  if (status === NOT_AS_AGREED) return reason([messages.notAsAgreed], ['resend'])
  if (status === 404 && subject) return reason([messages.deleted(subject)], [])
  if (status === 413) return reason([messages.tooLarge], ['edit'])
  if (code === 'content_differs') return reason([messages.contentDiffers], [])
  if (status === 412)
    return reason(
      [messages.notComparable, ...(error.message ? [serverMessage(error)] : [])],
      ['edit', 'resend'],
    )
  if (status === 422 && KEY in errors) return reason([messages.keyUsed], ['resend-as-new'])
  // What is not of a record, such as a user's own settings, cannot be deleted.
  if ([404, 405, 501].includes(status))
    return reason([messages.absent, ...(error.message ? [serverMessage(error)] : [])], ['resend'])
  // The server may have it: under a new key it could be there twice.
  if (status >= 500 || status === 408) return reason([serverMessage(error)], ['resend'])
  // Stored by an earlier build they may have any shape.
  const fields = Object.entries(readFieldErrors(errors).fields).map(([field, messages]) => ({
    name: fieldName(field),
    message: messages.join(' '),
  }))
  const text = fields.length > 0 ? messages.invalid : serverMessage(error)
  return { text, fields, recoveries: ['edit', 'resend'] }
}

/** The engine's status of an operation whose answers it could not understand. */
const NOT_AS_AGREED = 0

/** What servers write with 403 that says no more than the status. */
const FORBIDDEN = /^(?:you may not do this|this action is unauthorized|forbidden)?\.?$/i

/** As `NEVER_RETURNED` of the engine, which screens are loaded without. */
const NEVER_RETURNED = 'never_returned'

/** The server reports errors of this header in place of a field. */
const KEY = 'Idempotency-Key'

const reason = (text: readonly string[], recoveries: readonly Recovery[]): RejectionReason => ({
  text: text.join(' '),
  fields: [],
  recoveries,
})

const serverMessage = ({ message, status }: OperationError) =>
  messages.serverMessage(message || String(status))
