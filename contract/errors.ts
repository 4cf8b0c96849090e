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

/** `value`, in a form: right but for the fields with errors, which are as they were put in. */
export type Validated<T> =
  | { ok: true; value: T }
  | { ok: false; errors: FieldErrors; value?: T | undefined }

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
  const value = result.output as v.InferOutput<Schema>
  restoreIds(value, input)
  if (result.success) return { ok: true, value }
  for (const { path } of result.issues) restore(value, path ?? [])
  const issues = result.issues.filter(({ type, received }) => type !== 'uuid' || received === '""')
  if (issues.length > 0 || !result.typed) return { ok: false, errors: errorsOf(issues), value }
  return { ok: true, value }
}

/** Schemas make UUIDs lower case, and another server may have them in capitals. */
function restoreIds(output: unknown, input: unknown): void {
  if (typeof input !== 'object' || typeof output !== 'object' || !input || !output) return
  const fields = output as Record<string, unknown>
  for (const [key, given] of Object.entries(input))
    if (!/(?:^|_)id$/.test(key)) restoreIds(fields[key], given)
    else if (key in fields) fields[key] = given
}

/** Puts the value of the input at `path` in `output`, where the schema may have changed it. */
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
