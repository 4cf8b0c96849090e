// Query schemas of list endpoints: pages, sorts and filters.
import { validationMessages as messages } from './text/messages.ts'
import * as v from 'valibot'
import { oneOf } from './schemas/fields.ts'

const positiveInteger = (max: number) =>
  v.pipe(
    v.union([
      v.number(),
      v.pipe(v.string(), v.regex(/^\d{1,16}$/, messages.wholeNumber), v.transform(Number)),
    ]),
    v.integer(messages.wholeNumber),
    v.minValue(1, messages.atLeast(1)),
    v.maxValue(max, messages.atMost(max)),
  )

/** The query of a list endpoint: pages from 1, at most 500 per page. Unknown sorts and filters fail. */
export const listQuery = <const Sorts extends readonly string[], F extends v.ObjectEntries>(
  sorts: Sorts,
  filters: F,
) =>
  v.strictObject({
    page: v.optional(positiveInteger(1_000_000)),
    per_page: v.optional(positiveInteger(500)),
    sort: v.optional(
      oneOf(sorts.flatMap((sort) => [sort, `-${sort}`]) as (Sorts[number] | `-${Sorts[number]}`)[]),
    ),
    filters: v.optional(v.strictObject(filters)),
  })

/** A filter that matches any of the given `values`. */
export const anyOf = <const Words extends readonly string[]>(values: Words) =>
  v.optional(v.array(oneOf(values)))
