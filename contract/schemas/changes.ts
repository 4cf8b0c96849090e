// The change feed: an organisation's records, and what changed since a version.
import * as v from 'valibot'
import { recordSchemas } from '../resource-schemas.ts'
import { resourceNames, type ResourceName } from '../resources.ts'
import { Id } from './fields.ts'

type RecordLists = {
  [R in ResourceName]: v.OptionalSchema<
    v.ArraySchema<(typeof recordSchemas)[R], undefined>,
    never[]
  >
}

/** A list per resource; a missing list is read as empty. */
const recordLists = Object.fromEntries(
  resourceNames.map((name) => [
    name,
    v.optional(v.array<v.GenericSchema>(recordSchemas[name]), []),
  ]),
) as unknown as RecordLists

/** One page of the change feed, in version order. `version` is the next request's `since`. */
export const Changes = v.object({
  data: v.object({
    ...recordLists,
    deleted: v.optional(v.array(v.object({ type: v.string(), id: Id })), []),
  }),
  version: v.number(),
  more: v.boolean(),
  /** The organisation's current version, to show the progress of the first download. */
  latest: v.optional(v.number()),
  /** Where pages after the next one begin, as far as it is known: they can be read at the same time. */
  next: v.optional(v.array(v.number())),
})
export type Changes = v.InferOutput<typeof Changes>
