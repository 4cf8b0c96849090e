// Many operations in one request, and what became of each.
import { validationMessages as messages } from '../text/messages.ts'
import * as v from 'valibot'
import { Uuid } from './fields.ts'

/** How many operations one request may have. */
const MAX_BATCH_OPERATIONS = 100

/** One call that can be queued, as it would be sent on its own. */
const BatchOperation = v.object({
  /** Its Idempotency-Key. */
  key: Uuid,
  /** After one that did not succeed, the later ones of its lane are not begun. */
  lane: v.string(messages.text),
  method: v.string(messages.text),
  path: v.string(messages.text),
  body: v.optional(v.unknown()),
  if_match: v.optional(v.string(messages.text)),
  /**
   * The key of an earlier operation of the lane. The version in its answer, else its If-Match, comes before
   * `if_match`.
   */
  if_match_from: v.optional(Uuid),
})
export type BatchOperation = v.InferOutput<typeof BatchOperation>

/** Operations of one author in one organisation, in the order in which they are done. */
export const Batch = v.object({
  operations: v.pipe(
    v.array(BatchOperation, messages.notEmpty),
    v.minLength(1, messages.notEmpty),
    v.maxLength(MAX_BATCH_OPERATIONS, messages.maxItems(MAX_BATCH_OPERATIONS, 'operations')),
  ),
})

/** One result for each operation, in the order of the request. */
export const BatchResults = v.object({
  data: v.array(
    v.object({
      key: v.string(),
      /** Null when the server has not begun it: send it again. */
      status: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599))),
      /** `etag`, `idempotent-replayed` and `retry-after`, where its answer has them. */
      headers: v.record(v.string(), v.string()),
      /** Null where its answer has none. */
      body: v.unknown(),
    }),
  ),
})
export type BatchResults = v.InferOutput<typeof BatchResults>
