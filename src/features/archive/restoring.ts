// What the parts of a restoration share.
import * as v from 'valibot'
import { AccountDraft, AccountEdit } from '../../../contract/schemas/accounts.ts'
import { ActionDraft } from '../../../contract/schemas/actions.ts'
import { InitiativeDraft, InitiativeEdit } from '../../../contract/schemas/initiatives.ts'
import {
  SuccessPlanDraft,
  SuccessPlanEdit,
  SuccessPlanUpdateDraft,
  type SuccessPlanUpdate,
} from '../../../contract/schemas/success-plans.ts'
import { TemplateDraft } from '../../../contract/schemas/templates.ts'
import type { CallInput } from '../../../contract/offline.ts'
import type { RecordCollection } from './format.ts'

/** The calls of a restoration, with the schemas of their bodies. */
export const BODIES = {
  createAccount: AccountDraft,
  updateAccount: AccountEdit,
  createSuccessPlan: SuccessPlanDraft,
  updateSuccessPlan: SuccessPlanEdit,
  postPlanUpdate: SuccessPlanUpdateDraft,
  createInitiative: InitiativeDraft,
  updateInitiative: InitiativeEdit,
  createAction: ActionDraft,
  createTemplate: TemplateDraft,
}

/** Whether the server keeps that field of its records. */
export type Keeps = (collection: RecordCollection, field: string) => boolean

const COLLECTIONS: Record<keyof typeof BODIES, RecordCollection> = {
  createAccount: 'accounts',
  updateAccount: 'accounts',
  createSuccessPlan: 'success_plans',
  updateSuccessPlan: 'success_plans',
  postPlanUpdate: 'success_plan_updates',
  createInitiative: 'initiatives',
  updateInitiative: 'initiatives',
  createAction: 'actions',
  createTemplate: 'templates',
}
/** Without these a record is not valid, or is another one. */
const NEEDED: ReadonlySet<string> = new Set(['id', 'name', 'title', 'type', 'account_id', 'body'])
/** The fields of a body that are stored under another name. */
const STORED_AS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  accounts: { renewal_outcome: 'renewals' },
  success_plan_updates: { progress: 'progress_to', status: 'status_to' },
}
/** Fields of an update that change nothing by themselves. */
const OF_UPDATES: ReadonlySet<string> = new Set(['id', 'written_at'])

/** The call without the fields that the server does not keep; undefined if it would change nothing then. */
export function keptCall({ call, input }: RestoreCall, keeps: Keeps): RestoreCall | undefined {
  const collection = COLLECTIONS[call]
  const body = Object.fromEntries(
    Object.entries(Object(input.body) as object).filter(
      ([name]) => NEEDED.has(name) || keeps(collection, STORED_AS[collection]?.[name] ?? name),
    ),
  )
  const changes = Object.entries(body).some(
    ([name, value]) =>
      collection !== 'success_plan_updates' ||
      (!OF_UPDATES.has(name) && value !== '' && value !== undefined),
  )
  return changes ? { call, input: { ...input, body } } : undefined
}

/** Sent even if the schema rejects them: without its id a record is another one, and without the others it is empty. */
const REQUIRED: ReadonlySet<string> = new Set(['id', 'name', 'title', 'body'])

/** The paths that the schema of the call rejects: fields that are not `REQUIRED`, and entries beyond a list's limit. */
const rejectedIn = (call: keyof typeof BODIES, body: unknown): string[] =>
  (v.safeParse(BODIES[call], body).issues ?? []).flatMap((issue) => {
    const { input, requirement: most } = issue
    const path = v.getDotPath(issue) ?? 'body'
    // Ids are opaque, see `validateForm`.
    if (REQUIRED.has(path) || (issue.type === 'uuid' && issue.received !== '""')) return []
    if (!Array.isArray(input) || typeof most !== 'number') return [path]
    return input.slice(most).map((_, at) => `${path}.${most + at}`)
  })

/** The value without what is at those paths. */
function without(value: unknown, paths: ReadonlySet<string>, at = ''): unknown {
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value)
    .filter(([key]) => !paths.has(at + key))
    .map(([key, one]): [string, unknown] => [key, without(one, paths, `${at}${key}.`)])
  return Array.isArray(value) ? kept.map(([, one]) => one) : Object.fromEntries(kept)
}

/**
 * The call without what its schema rejects, such as words that only another server knows, by path; undefined if it
 * would change nothing then. A plan that is completed needs an outcome.
 */
export function knownCall({ call, input }: RestoreCall): {
  known: RestoreCall | undefined
  unknown: string[]
} {
  const unknown = rejectedIn(call, input.body)
  if (unknown.length === 0) return { known: { call, input }, unknown }
  let body: unknown = input.body
  let paths = unknown
  while (paths.length > 0) {
    body = without(body, new Set(paths))
    // An entry that now lacks a required field is left out as a whole.
    paths = rejectedIn(call, body)
      .map((path) => path.replace(/(^|\.)[^.]+$/, ''))
      .filter(Boolean)
  }
  if (unknown.includes('outcome')) body = { ...Object(body), outcome: 'partially-achieved' }
  return { known: keptCall({ call, input: { ...input, body } }, () => true), unknown }
}

export interface RestoreCall {
  call: keyof typeof BODIES
  input: CallInput
}

/** What has ids: collections, and what is part of an account. */
export type Table = RecordCollection | 'contacts' | 'renewals'

/** What a restoration needs to know of each record. */
export interface Restoring {
  /** The id that a record of the archive has in the organisation. Two tables of a server may give the same ids. */
  idOf: (table: Table, id: string) => string
  /** The member with the email address of that person; undefined if there is none. */
  memberOf: (person_id: string | null) => string | undefined
  /** The text with the name of its author, unless that is who imports. */
  signed: (body: string, author_id: string | null) => string
  user_id: string
  /**
   * Whether the server does not have the record yet: an import that was interrupted is continued only then. Its version
   * does not tell, which many servers do not count.
   */
  isUnsent: (resource: 'accounts' | 'success_plans' | 'initiatives', id: string) => boolean
}

/** The fields that have a value: a create leaves out the others. */
export const filled = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  )

/** Other servers have parts of a per cent. */
const whole = (progress: number | null) => progress && Math.round(progress)

/** A time that was read, as a request takes it: other servers write it in other forms. */
export const instant = <Time extends string | null>(time: Time) =>
  (time && new Date(time).toISOString()) as Time

/** The update with progress and time as a request takes them. */
export const postable = (update: SuccessPlanUpdate): SuccessPlanUpdate => ({
  ...update,
  progress_from: whole(update.progress_from),
  progress_to: whole(update.progress_to),
  written_at: instant(update.written_at),
})
