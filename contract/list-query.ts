// What a list may be asked: pages, sorts and filters, each known or refused.
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

/** The query of a list: pages from 1, at most 500 a page; unknown sorts and filters are errors. */
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

/** A filter that takes several words. */
export const anyOf = <const Words extends readonly string[]>(values: Words) =>
  v.optional(v.array(oneOf(values)))
