// Offline policies for creates and edits, shared by all queueable resources.
import type { CallInput, OfflinePolicy } from '../offline.ts'
import { resourceOf, resources, type QueuedResource } from '../resources.ts'

type Fields = Record<string, unknown>
type EditMember = 'edits' | 'omitFields' | 'splitFields'

/** The record's version, if it has one. */
const versionOf = ({ version }: Fields): number | undefined =>
  typeof version === 'number' && version > 0 ? version : undefined

/** The body without those fields; undefined if none is left. */
export function withoutFields<B extends object>(body: B, names: readonly string[]): B | undefined {
  const left = Object.entries(body).filter(
    ([name, value]) => value !== undefined && !names.includes(name),
  )
  return left.length > 0 ? (Object.fromEntries(left) as B) : undefined
}

/** The ids of parent records in a body. */
const parentIds = (resource: QueuedResource, body: object) => {
  const fields: Fields = { ...body }
  return Object.keys(resourceOf(resource).parents ?? {}).map(
    (name) => fields[name] as string | null | undefined,
  )
}

/** Fields of a body that are used up without being stored in the record. */
const CONSUMED = ['id', 'note', 'renewal_outcome', 'skip_weekends']

/** Servers number the records of an order themselves. */
const MAY_DIFFER = ['position']

const HOUR_MS = 3_600_000

/**
 * Whether an instant was chosen, in place of the present of the device at `created_at`. For the present a server may
 * have a time of its own, which differs little.
 */
export const isPast = (instant: unknown, created_at: string): boolean =>
  typeof instant === 'string' && Date.parse(created_at) - Date.parse(instant) > HOUR_MS

function askedIn(body: object, created_at: string): Fields {
  const fields: Fields = { ...withoutFields(body, CONSUMED) }
  const isPresent = fields.completed_at && !isPast(fields.completed_at, created_at)
  return isPresent ? { ...withoutFields(fields, ['completed_at']) } : fields
}

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))

/** The edit that sets fields of a create: actions have their id in the body. */
const completion =
  (resource: QueuedResource) =>
  ({ body }: { body: object }, id: string, names: readonly string[]) => {
    const fields = pick({ ...body }, names)
    const input: CallInput =
      resource === 'actions' ? { body: { ...fields, id } } : { path: { id }, body: fields }
    return { endpoint: resources[resource].calls.update, input }
  }

/** The policy of a create whose body carries the new record's id. */
export function createPolicy(
  resource: QueuedResource,
): Omit<OfflinePolicy<{ body: { id?: string | undefined } }>, EditMember> {
  const { lane, title, author } = resources[resource]
  const parents = Object.keys(resourceOf(resource).parents ?? {})
  return {
    lane: ({ body }) => `${lane}:${body.id}`,
    creates: ({ body }) => body.id,
    references: ({ body }) => parentIds(resource, body),
    matches: ({ body }, record) => record.id === body.id,
    contentDiffers: ({ body }, record) => record[title] !== String((body as Fields)[title]).trim(),
    created: {
      collection: resource,
      parents: ({ body }) => pick({ ...body }, parents),
      words: ({ body }) => pick({ ...body }, [title]),
      author,
    },
    asked: ({ body }, created_at) => askedIn(body, created_at),
    mayDiffer: MAY_DIFFER,
    complete: completion(resource),
    version: versionOf,
  }
}

/**
 * The policy of a deletion. `lane`: the prefix of the lanes of that resource. Stored on devices: it never
 * changes. `fields`: those that members write, which others may have changed meanwhile.
 */
export const deletePolicy = (
  lane: string,
  fields: readonly string[] = [],
  alsoDeletes: readonly string[] = [],
): OfflinePolicy<{ path: { id: string } }> => ({
  lane: ({ path }) => `${lane}:${path.id}`,
  references: ({ path }) => [path.id],
  matches: ({ path }, record) => record.id === path.id,
  deletes: ({ path }) => path.id,
  compared: (record) =>
    pick(
      record,
      // Then the progress follows from the actions.
      fields.filter((name) => name !== 'progress' || record.progress_mode !== 'auto'),
    ),
  alsoDeletes,
})

interface EditParts<Input> {
  idOf: (input: Input) => string
  /** The changed fields, without the id. */
  fieldsOf: (input: Input) => object
  /** The input with those fields alone. */
  withFields: (input: Input, fields: object) => Input
  /** Fields that never conflict: the last write wins. */
  lastWriteWins?: readonly string[]
}

/** The policy of a partial edit of one record. `parts` reads and writes the fields of the input. */
export function editPolicy<Input>(
  resource: QueuedResource,
  { idOf, fieldsOf, withFields, lastWriteWins = [] }: EditParts<Input>,
): OfflinePolicy<Input> {
  const { lane } = resources[resource]
  return {
    lane: (input) => `${lane}:${idOf(input)}`,
    references: (input) => [idOf(input), ...parentIds(resource, fieldsOf(input))],
    matches: (input, record) => record.id === idOf(input),
    asked: (input, created_at) => askedIn(fieldsOf(input), created_at),
    mayDiffer: MAY_DIFFER,
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

/** The policy of an edit with the id in its path and the changed fields as its body. */
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
