// Reads the body of an error response in any shape: what the contract has, or what other servers write.
import type { FieldErrors } from '../errors.ts'
import { isObject } from './json.ts'

interface ReadErrors {
  /** By field, as in the contract; none where no error names a field. */
  fields: FieldErrors
  /** Errors that name no field. */
  others: string[]
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  if (!isObject(value)) return []
  const { message, msg, detail, reason, description, constraints } = value
  const text = message ?? msg ?? detail ?? reason ?? description ?? constraints
  return textsOf(text ?? value.defaultMessage ?? value.title ?? Object.values(value))
}

/** What a place in a request begins with: `["body", "title"]`, or `/data/attributes/title` (JSON:API). */
const ROOT = /^(?:body|data|attributes)$/
/** Names of the errors of no field. */
const GENERAL = /^(?:|base|root|_errors|__all__|non_field_errors)$/

/** The name of a field as in the contract: `contacts.0.email` for `/contacts/0/email` or `Contacts[0].Email`. */
function nameOf(place: unknown): string | undefined {
  const keys: unknown[] = Array.isArray(place) ? place : [place]
  const parts = keys
    .map((key) => (isObject(key) ? key.key : key))
    .join('.')
    .split(/[./#$[\]]+/)
    .filter((part) => part !== '')
  while (parts.length > 1 && ROOT.test(parts[0] ?? '')) parts.shift()
  const name = parts.join('.')
  if (GENERAL.test(name)) return undefined
  // The name of a header keeps its capitals.
  return name.includes('-') ? name : name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase()
}

function fieldOf(error: unknown): string | undefined {
  if (!isObject(error)) return undefined
  const { pointer } = isObject(error.source) ? error.source : error
  const named = error.loc ?? error.field ?? error.path ?? error.param ?? error.propertyPath
  const other = error.property ?? error.attr ?? error.instancePath ?? error.target
  return nameOf(pointer ?? named ?? other ?? (error.reason && error.name))
}

/** Where servers put the errors of fields. */
const CONTAINER =
  /^(?:errors?|details?|issues|(?:field)?violations|invalid[-_]?params|inner|properties|message)$/i
/** Those that are lists of texts by field, even where they have another shape. */
const BY_FIELD = /^(?:errors|properties)$/

/**
 * Reads the field errors of an error response in any shape: the contract has lists of texts by field; other servers
 * write one text, objects, or a list of errors that name their fields. Nothing of it that is no text is kept.
 * `isFields`: an object is by field, unless it has one of the other shapes.
 */
export function readFieldErrors(value: unknown, isFields = true): ReadErrors {
  const read: ReadErrors = { fields: Object.create(null) as FieldErrors, others: [] }
  const add = (field: string | undefined, texts: readonly string[]) => {
    if (field === undefined) read.others.push(...texts)
    else if (texts.length > 0) read.fields[field] = [...(read.fields[field] ?? []), ...texts]
  }
  if (Array.isArray(value)) {
    const nested = value.flatMap((one: unknown) =>
      isObject(one) && Array.isArray(one.fieldViolations) ? one.fieldViolations : [one],
    )
    for (const one of nested) add(fieldOf(one), textsOf(one))
    return read
  }
  if (!isObject(value)) return { ...read, others: textsOf(value) }
  const addAll = () => {
    for (const [field, texts] of Object.entries(value)) add(nameOf(field), textsOf(texts))
    return read
  }
  if (isFields && Object.values(value).every(isTexts)) return addAll()
  // Zod's `flatten`, and that of Valibot.
  const flat = value.fieldErrors ?? value.nested
  if (isObject(flat))
    return { ...readFieldErrors(flat, true), others: textsOf(value.formErrors ?? value.root) }
  const inside = Object.keys(value)
    .filter((name) => CONTAINER.test(name) && typeof value[name] === 'object')
    .map((name) => readFieldErrors(value[name], BY_FIELD.test(name)))
    .filter(({ fields, others }) => Object.keys(fields).length + others.length > 0)
  const found = inside.find(({ fields }) => Object.keys(fields).length > 0) ?? inside[0]
  if (found) return found
  if (isFields || isByField(value) || '_errors' in value) return addAll()
  if (value.param ?? value.field) add(fieldOf(value), textsOf(value))
  return read
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** Whether the body is nothing but lists of texts by field, as some frameworks answer. */
const isByField = (body: Record<string, unknown>): boolean =>
  Object.entries(body).every(
    ([name, texts]) => !/^(?:message|detail|errors?)$/.test(name) && isTexts(texts),
  )

/**
 * Reads the body of an error response in any shape: `message` as the contract has it, or what frameworks and
 * gateways write in its place, empty without any; see `readFieldErrors`.
 */
export function readErrorBody(body: Record<string, unknown>): { message: string } & ReadErrors {
  const read = readFieldErrors(body, false)
  if (isByField(body)) return { ...read, message: read.others.join(' ') }
  const { message, error, error_description: description, detail, title } = body
  // A single word is a code, or says no more than the status.
  const words = typeof error === 'string' && !error.includes(' ') ? '' : error
  const text = [message, description, words, typeof detail === 'string' ? detail : '', title]
    .map((one) => textsOf(one).join(' '))
    .find((one) => one !== '')
  return { ...read, message: text ?? read.others.join(' ') }
}
