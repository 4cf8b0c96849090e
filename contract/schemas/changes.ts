// The whole organisation on the device, and what changed in it since.
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

/** The records of each resource; a list that is missing is empty. */
const recordLists = Object.fromEntries(
  resourceNames.map((name) => [
    name,
    v.optional(v.array<v.GenericSchema>(recordSchemas[name]), []),
  ]),
) as unknown as RecordLists

/** One page of `changes`, in version order. `version` is what to ask with next. */
export const Changes = v.object({
  data: v.object({
    ...recordLists,
    deleted: v.optional(v.array(v.object({ type: v.string(), id: Id })), []),
  }),
  version: v.number(),
  more: v.boolean(),
  /** Where the organisation is now, so that a first download can show its share done. */
  latest: v.optional(v.number()),
})
export type Changes = v.InferOutput<typeof Changes>
