// Error bodies, `{ message, code?, errors? }`, and validation by schema, for app and server.
import { validationMessages as messages } from './text/messages.ts'
import * as v from 'valibot'

/** Messages by field name; nested fields are dotted (`contacts.0.email`). */
export type FieldErrors = Record<string, string[]>

/**
 * The body of every 4xx and 5xx response. In a 412, `data` is the current record, and `changed_by` names the
 * fields that were set since the version in `If-Match`, each with the user who set it last; of a plan to be
 * deleted also `success_plan_updates`, where someone else has posted one since.
 */
export const ErrorBody = v.looseObject({
  message: v.optional(v.string(), ''),
  code: v.optional(v.string()),
  errors: v.optional(v.record(v.string(), v.array(v.string()))),
  data: v.optional(v.unknown()),
  changed_by: v.optional(v.record(v.string(), v.nullable(v.string()))),
  /** Identifies a server failure in its log. */
  request_id: v.optional(v.string()),
})
export type ErrorBody = v.InferOutput<typeof ErrorBody>

/** The error body of the token endpoint (RFC 6749, section 5.2). */
export const TokenErrorBody = v.looseObject({
  error: v.string(),
  error_description: v.optional(v.string()),
  message: v.optional(v.string()),
  code: v.optional(v.string()),
})

/** `code` of a refused refresh: the user reported this device as lost, and it deletes its data. */
export const DEVICE_LOST = 'device_lost'

/** `code` of a 403: the organisation's plan allows no more of these records. */
export const PLAN_LIMIT_REACHED = 'plan_limit_reached'

/** `code` of a 403: confirm the password (`reauthenticate`) and repeat the call. */
export const REAUTHENTICATION_REQUIRED = 'reauthentication_required'

export type Validated<T> = { ok: true; value: T } | { ok: false; errors: FieldErrors }

/**
 * Checks `input` against a schema. Returns the output, or the messages by field. `message`: of an issue for which the
 * schema has none.
 */
export function validate<const Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  message?: (issue: v.BaseIssue<unknown>) => string,
): Validated<v.InferOutput<Schema>> {
  // Collect all errors, so that a form shows them at once.
  const result = v.safeParse(schema, input, { message })
  if (result.success) return { ok: true, value: result.output }
  return { ok: false, errors: errorsOf(result.issues) }
}

/**
 * Checks the values of a form, as `validate` does. Ids are opaque in the app: a record that was read can be
 * referred to, whatever the form of its id, and the server decides about it.
 */
export function validateForm<const Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
): Validated<v.InferOutput<Schema>> {
  const result = v.safeParse(schema, input)
  if (result.success) return { ok: true, value: result.output }
  const issues = result.issues.filter(({ type, received }) => type !== 'uuid' || received === '""')
  if (issues.length > 0 || !result.typed) return { ok: false, errors: errorsOf(issues) }
  for (const { path } of result.issues) restore(result.output, path ?? [])
  return { ok: true, value: result.output }
}

/** Puts the value of the input at `path` in `output`, where schemas have made UUIDs lower case. */
function restore(output: unknown, path: readonly { key?: unknown; value?: unknown }[]): void {
  const last = path.at(-1)
  let parent = output as Record<string, unknown> | undefined
  for (const { key } of path.slice(0, -1)) parent = parent?.[String(key)] as typeof parent
  if (parent && last) parent[String(last.key)] = last.value
}

function errorsOf(issues: readonly v.BaseIssue<unknown>[]): FieldErrors {
  // Null prototype: a field may be named `__proto__`.
  const errors = Object.create(null) as FieldErrors
  for (const issue of issues) {
    const field = v.getDotPath(issue) ?? 'body'
    // valibot reports a missing key on the surrounding object, with a message for developers.
    const missing = issue.type === 'object' && issue.path && issue.received === 'undefined'
    const unknown = issue.type === 'strict_object' && issue.expected === 'never'
    ;(errors[field] ??= []).push(
      missing ? messages.required : unknown ? messages.unknown : issue.message,
    )
  }
  return errors
}

interface ReadErrors {
  /** By field, as in the contract; none where no error names a field. */
  fields: FieldErrors
  /** Errors that name no field. */
  others: string[]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  if (!isObject(value)) return []
  const { message, msg, detail, reason, description, constraints } = value
  const text = message ?? msg ?? detail ?? reason ?? description ?? constraints
  return textsOf(text ?? value.defaultMessage ?? value.title ?? Object.values(value))
}

/** What a place in a request begins with: `["body", "title"]`, or `/data/attributes/title` (JSON:API). */
const ROOTS = new Set(['body', 'data', 'attributes'])
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
  while (parts.length > 1 && ROOTS.has(parts[0] ?? '')) parts.shift()
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

/** Where servers put the errors of fields, from the outside to the inside. */
const CONTAINERS = [
  'errors',
  'error',
  'details',
  'detail',
  'issues',
  'violations',
  'fieldViolations',
  'invalid-params',
  'invalid_params',
  'invalidParams',
  'inner',
  'properties',
  'message',
]
/** Those that are lists of texts by field, even where they have another shape. */
const BY_FIELD = new Set(['errors', 'properties'])

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
  const inside = CONTAINERS.filter((name) => typeof value[name] === 'object')
    .map((name) => readFieldErrors(value[name], BY_FIELD.has(name)))
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
