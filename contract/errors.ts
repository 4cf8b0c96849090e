// What goes wrong, in the one shape that both sides speak: `{ message, code?, errors? }`.
import { validationMessages as messages } from './text/messages.ts'
import * as v from 'valibot'

/** Field names, dotted for nested ones, each with what to do about it. */
export type FieldErrors = Record<string, string[]>

/** The body of every refusal. `data` carries the current record in a 412. */
export const ErrorBody = v.looseObject({
  message: v.optional(v.string(), ''),
  code: v.optional(v.string()),
  errors: v.optional(v.record(v.string(), v.array(v.string()))),
  data: v.optional(v.unknown()),
  /** Of a failure of the server: to find it in its log. */
  request_id: v.optional(v.string()),
})
export type ErrorBody = v.InferOutput<typeof ErrorBody>

/** The body of a refusal from the token endpoint (RFC 6749, 5.2). */
export const TokenErrorBody = v.looseObject({
  error: v.string(),
  error_description: v.optional(v.string()),
  message: v.optional(v.string()),
})

/** A create stopped by the organisation's plan (403). */
export const PLAN_LIMIT_REACHED = 'plan_limit_reached'

export type Validated<T> = { ok: true; value: T } | { ok: false; errors: FieldErrors }

/** Checks `input` against a schema; on failure says what to do, by field. */
export function validate<const Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
): Validated<v.InferOutput<Schema>> {
  // Everything that is wrong at once: nobody wants to mend one field to be told of the next.
  const result = v.safeParse(schema, input)
  if (result.success) return { ok: true, value: result.output }
  // No prototype: a field named __proto__ is a field like others.
  const errors = Object.create(null) as FieldErrors
  for (const issue of result.issues) {
    const field = v.getDotPath(issue) ?? 'body'
    // A missing key is reported by the object around it, in words for programmers.
    const missing = issue.type === 'object' && issue.path && issue.received === 'undefined'
    const unknown = issue.type === 'strict_object' && issue.expected === 'never'
    ;(errors[field] ??= []).push(
      missing ? messages.required : unknown ? messages.unknown : issue.message,
    )
  }
  return { ok: false, errors }
}
