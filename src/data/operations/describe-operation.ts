// What an operation is called where all kinds of them stand together, and what was said in it.
import type { Operation } from '../../sync/core/operation.ts'
import { bodyFields, isCall, isFor, kindOf, recordIdOf, subjectOf } from './operation-call.ts'
import { fieldName, fieldValue } from './field-labels.ts'
import { titleMessages as messages } from './messages.ts'

type DescribedOperation = Pick<Operation, 'endpoint' | 'input'> & Partial<Pick<Operation, 'base'>>
type NameOf = (id: string) => string | undefined

/** The title of what was said. */
export function titleOf(operation: DescribedOperation, nameOf: NameOf): string {
  const fields = bodyFields(operation.input)
  const subject = subjectOf(operation)
  const id = recordIdOf(operation)
  const name = fields.title ?? fields.name
  if (kindOf(operation) === 'create' && typeof name === 'string')
    return messages.made(subject, name)
  const known = id === undefined ? undefined : nameOf(id)
  if (isFor(operation, 'success_plan_updates')) return messages.update(known)
  if (subject) return messages.changed(subject, known)
  return isCall(operation, 'updateUserinfo') ? messages.profile : messages.other
}

/** A field that an operation sets. `from` is what its author saw, where that is known. */
interface OperationField {
  name: string
  value: string
  from: string | undefined
}

/** What a person does not say: ids of the record itself, when, and what is text on its own. */
const HIDDEN_FIELDS = new Set(['id', 'body', 'written_at', 'completed_at', 'position'])

/** The fields that an operation sets, in words, without those that say nothing. */
export function describeFields(operation: DescribedOperation, nameOf: NameOf): OperationField[] {
  const creates = kindOf(operation) === 'create'
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

/** The words of an update; empty for anything else. */
export function bodyOf({ input }: Pick<Operation, 'input'>): string {
  const { body } = bodyFields(input)
  return typeof body === 'string' ? body : ''
}

/** All that was said, as text to copy or to write down: the words first, then field by field. */
export function textOf(operation: DescribedOperation, nameOf: NameOf): string {
  const fields = describeFields(operation, nameOf).map(({ name, value }) => `${name}: ${value}`)
  return [bodyOf(operation), fields.join('\n')].filter((part) => part !== '').join('\n\n')
}
