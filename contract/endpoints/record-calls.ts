// The five calls that most resources have: list, get, create, update and delete.
import type * as v from 'valibot'
import type { Capability } from '../capabilities.ts'
import { list, none, one, type Endpoint } from '../endpoint.ts'
import { createPolicy, deletePolicy, pathEditPolicy } from './record-policies.ts'
import {
  resourceOf,
  type CallKind,
  type CallOf,
  type KindOf,
  type QueuedResource,
  type ResourceName,
} from '../resources.ts'

type Schema = v.GenericSchema
type One<S extends Schema> = ReturnType<typeof one<S>>
type List<S extends Schema> = ReturnType<typeof list<S>>

interface Options<Path, Rec, Query, Draft, Edit> {
  /** The path of the list and of a create; the other calls append the id. */
  path: Path
  record: Rec
  query: Query
  draft: Draft
  edit: Edit
  editMethod?: 'PATCH'
  /** Who may write; any member by default. */
  writer?: 'manager'
  /** Of servers that have the resource; none for one of the specification. */
  capability?: Capability
  /** Fields of which concurrent changes are never a conflict. */
  lastWriteWins?: readonly string[]
  /** Fields that follow from another record: their change is no reason to ask before a deletion. */
  derived?: readonly string[]
  /** Collections that go with a deleted record, and are worth a question. */
  alsoDeletes?: readonly string[]
}

interface Rows<
  R extends ResourceName,
  Path extends string,
  Rec extends Schema,
  Query extends Schema,
  Draft extends Schema,
  Edit extends Schema,
> {
  list: Endpoint<Path, Query, undefined, List<Rec>, R, 'list'>
  get: Endpoint<`${Path}/{id}`, undefined, undefined, One<Rec>, R, 'get'>
  create: Endpoint<Path, undefined, Draft, One<Rec>, R, 'create'>
  update: Endpoint<`${Path}/{id}`, undefined, Edit, One<Rec>, R, 'update'>
  delete: Endpoint<`${Path}/{id}`, undefined, undefined, typeof none, R, 'delete'>
}

/** The rows of the kinds of calls that the resource has, by name. */
type Named<R extends ResourceName, All> = {
  [K in KindOf<R> & CallKind & keyof All as CallOf<R, K>]: All[K]
}

/** A row before its types are known. */
type Row = Omit<Endpoint, 'offlinePolicy'> & { offlinePolicy?: object }

/**
 * The rows of those calls that `resources` names for this resource, by their names. Creates and edits are
 * queued if the resource has a lane, deletions always: until they are sent, they can be undone. For a call that
 * differs, write a row of the same name after these.
 */
export function recordCalls<
  R extends ResourceName,
  const Path extends string,
  Rec extends Schema,
  Query extends Schema,
  Draft extends Schema,
  Edit extends Schema,
>(resource: R, options: Options<Path, Rec, Query, Draft, Edit>) {
  const {
    path,
    record,
    query,
    draft,
    edit,
    editMethod = 'PUT',
    writer = 'member',
    capability,
    lastWriteWins = [],
    derived = [],
    alsoDeletes,
  } = options
  const { lane, calls } = resourceOf(resource)
  const byId = `${path}/{id}`
  const read = { method: 'GET', who: 'member', offline: 'read' } as const
  const isQueued = lane !== undefined
  const write = { who: writer, offline: isQueued ? 'queue' : 'online' } as const
  // Safe cast: what has a lane can be queued.
  const queued = resource as ResourceName & QueuedResource
  const { entries = {} } = edit as { entries?: object }
  const uncompared = new Set(['id', ...lastWriteWins, ...derived])
  const written = Object.keys(entries).filter((name) => !uncompared.has(name))
  const rows: Partial<Record<CallKind, Row>> = {
    list: { ...read, path, query, answer: list(record) },
    get: { ...read, path: byId, answer: one(record) },
    create: {
      ...write,
      method: 'POST',
      path,
      body: draft,
      answer: one(record),
      status: 201,
      ...(isQueued && { offlinePolicy: createPolicy(queued) }),
    },
    update: {
      ...write,
      method: editMethod,
      path: byId,
      body: edit,
      answer: one(record),
      ...(isQueued && { offlinePolicy: pathEditPolicy(queued, lastWriteWins) }),
    },
    delete: {
      method: 'DELETE',
      path: byId,
      answer: none,
      status: 204,
      who: writer,
      offline: 'queue',
      offlinePolicy: deletePolicy(lane ?? resource, written, alsoDeletes),
    },
  }
  const named = (Object.entries(calls) as [CallKind, string][]).flatMap(([kind, name]) =>
    rows[kind]
      ? [[name, { resource, kind, ...(capability && { capability }), ...rows[kind] }]]
      : [],
  )
  // Safe cast: each row is of its kind, under its name.
  return Object.fromEntries(named) as unknown as Named<R, Rows<R, Path, Rec, Query, Draft, Edit>>
}
