// Titles and contents of operations for lists of all kinds of operations.
import type { Operation } from '../../sync/core/operation.ts'
import type { NameOf } from '../record-id.ts'
import {
  bodyFields,
  isCall,
  isFor,
  isOfNewerVersion,
  kindOf,
  recordIdOf,
  subjectOf,
} from './operation-call.ts'
import { fieldName, fieldValue } from './field-labels.ts'
import { titleMessages as messages } from './messages.ts'

type DescribedOperation = Pick<Operation, 'endpoint' | 'input'> & Partial<Pick<Operation, 'base'>>

/** The operation's title, such as `New account “Acme”`. `nameOf` returns the name of an id. */
export function titleOf(operation: DescribedOperation, nameOf: NameOf): string {
  const fields = bodyFields(operation.input)
  const subject = subjectOf(operation)
  const id = recordIdOf(operation)
  const name = fields.title ?? fields.name
  if (kindOf(operation) === 'create' && typeof name === 'string')
    return messages.created(subject, name)
  // Once it is deleted, only the operation has its name.
  if (kindOf(operation) === 'delete')
    return messages.deleted(subject, typeof name === 'string' ? name : undefined)
  const known = subject && id !== undefined ? nameOf(subject, id) : undefined
  if (isFor(operation, 'success_plan_updates')) return messages.update(known)
  if (subject) return messages.changed(subject, known)
  if (isCall(operation, 'putSavedView')) return messages.view(String(name))
  if (isCall(operation, 'deleteSavedView')) return messages.deletedView
  if (isOfNewerVersion(operation)) return messages.ofNewerVersion
  return isCall(operation, 'updateUserinfo') ? messages.profile : messages.other
}

/** A field that an operation sets, as display texts. `from` is undefined if unknown. */
interface OperationField {
  name: string
  value: string
  from: string | undefined
}

/** Not shown: technical fields, and the body, which is shown separately. */
const HIDDEN_FIELDS = new Set(['id', 'body', 'written_at', 'completed_at', 'position', 'search'])

/** The fields that an operation sets, as display texts; none of a deletion. Omits empty fields of a create. */
export function describeFields(operation: DescribedOperation, nameOf: NameOf): OperationField[] {
  const kind = kindOf(operation)
  if (kind === 'delete') return []
  const creates = kind === 'create'
  return Object.entries(bodyFields(operation.input))
    .filter(([field, value]) => !HIDDEN_FIELDS.has(field) && value !== undefined)
    .filter(([, value]) => !creates || (value !== null && value !== ''))
    .map(([field, value]) => ({
      name: fieldName(field),
      value: fieldValue(field, value, nameOf),
      from:
        operation.base && field in operation.base.fields
          ? fieldValue(field, operation.base.fields[field], nameOf)
          : undefined,
    }))
}

/** Longer texts of others are cut off in the log of what was sent. */
const MAX_KEPT_LENGTH = 80

/** The changes of others that a merge kept beside those of the operation: a line of text for each field. */
export const describeKept = (
  { kept = {} }: { kept?: Record<string, unknown> },
  nameOf: NameOf,
): string[] =>
  Object.entries(kept)
    .filter(([field]) => !HIDDEN_FIELDS.has(field))
    .map(([field, value]) => {
      const text = fieldValue(field, value, nameOf)
      const isLong = text.length > MAX_KEPT_LENGTH
      return `${fieldName(field)}: ${isLong ? `${text.slice(0, MAX_KEPT_LENGTH)}…` : text}`
    })

/** The text of an update; empty for other operations. */
export function bodyOf({ input }: Pick<Operation, 'input'>): string {
  const { body } = bodyFields(input)
  return typeof body === 'string' ? body : ''
}

/** The operation as plain text to copy or export: the body, then a line per field. */
export function textOf(operation: DescribedOperation, nameOf: NameOf): string {
  const fields = describeFields(operation, nameOf).map(({ name, value }) => `${name}: ${value}`)
  return [bodyOf(operation), fields.join('\n')].filter((part) => part !== '').join('\n\n')
}
