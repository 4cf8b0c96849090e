// What creating and editing have in common for every queueable resource: the policies of its rows.
import type { OfflinePolicy } from './offline.ts'
import { resourceOf, type QueuedResource } from './resources.ts'

type Fields = Record<string, unknown>
type EditMember = 'edits' | 'omitFields' | 'splitFields'

/** The version that a record of this contract carries. */
const versionOf = ({ version }: Fields): number | undefined =>
  typeof version === 'number' && version > 0 ? version : undefined

/** The body without those fields; undefined when no field is left. */
export function withoutFields<B extends object>(body: B, names: readonly string[]): B | undefined {
  const left = Object.entries(body).filter(
    ([name, value]) => value !== undefined && !names.includes(name),
  )
  return left.length > 0 ? (Object.fromEntries(left) as B) : undefined
}

/** The ids that a body names of other records. */
const parentIds = (resource: QueuedResource, body: object) => {
  const fields: Fields = { ...body }
  return Object.keys(resourceOf(resource).parents).map(
    (name) => fields[name] as string | null | undefined,
  )
}

/** A create whose body carries the id of the new record. */
export function createPolicy(
  resource: QueuedResource,
): Omit<OfflinePolicy<{ body: { id?: string | undefined } }>, EditMember> {
  const { lane, title } = resourceOf(resource)
  return {
    lane: ({ body }) => `${lane}:${body.id}`,
    creates: ({ body }) => body.id,
    references: ({ body }) => parentIds(resource, body),
    matches: ({ body }, record) => record.id === body.id,
    contentDiffers: ({ body }, record) =>
      title !== null && record[title] !== String((body as Fields)[title]).trim(),
    version: versionOf,
  }
}

interface EditParts<Input> {
  idOf: (input: Input) => string
  /** The changed fields, without the id. */
  fieldsOf: (input: Input) => object
  /** The input with those fields alone. */
  withFields: (input: Input, fields: object) => Input
  /** Fields that are never compared: the later write holds. */
  lastWriteWins?: readonly string[]
}

/** An edit that names the changed fields of one record. `parts` reads and writes them in the input. */
export function editPolicy<Input>(
  resource: QueuedResource,
  { idOf, fieldsOf, withFields, lastWriteWins = [] }: EditParts<Input>,
): OfflinePolicy<Input> {
  const { lane } = resourceOf(resource)
  return {
    lane: (input) => `${lane}:${idOf(input)}`,
    references: (input) => [idOf(input), ...parentIds(resource, fieldsOf(input))],
    matches: (input, record) => record.id === idOf(input),
    edits: (input) => ({
      id: idOf(input),
      fields: { ...withoutFields(fieldsOf(input), lastWriteWins) },
    }),
    omitFields: (input, names) => {
      const left = withoutFields(fieldsOf(input), names)
      return left && withFields(input, left)
    },
    version: versionOf,
  }
}

/** An edit with the id in its path and the changed fields as its body. */
export const pathEditPolicy = <B extends object>(
  resource: QueuedResource,
  lastWriteWins: readonly string[] = [],
) =>
  editPolicy<{ path: { id: string }; body: B }>(resource, {
    idOf: ({ path }) => path.id,
    fieldsOf: ({ body }) => ({ ...body }),
    withFields: (input, fields) => ({ ...input, body: fields as B }),
    lastWriteWins,
  })
