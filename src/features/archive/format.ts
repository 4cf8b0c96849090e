// The file format of an organisation's archive: a ZIP with a manifest, a file of JSON lines for each
// collection, and CSV files for people, which are not read.
import * as v from 'valibot'
import { recordSchemas } from '../../../contract/resource-schemas.ts'
import type { Account } from '../../../contract/schemas/accounts.ts'
import type { Action } from '../../../contract/schemas/actions.ts'
import type { Initiative } from '../../../contract/schemas/initiatives.ts'
import type { SuccessPlan, SuccessPlanUpdate } from '../../../contract/schemas/success-plans.ts'
import type { Template } from '../../../contract/schemas/templates.ts'

/** Stored in archives: never change it. */
export const FORMAT = 'cairn-organisation'
/** Grows when an archive of this build cannot be read by an earlier one. */
export const FORMAT_VERSION = 1
export const MANIFEST = 'manifest.json'

const Person = v.object({ id: v.string(), name: v.string(), email: v.string() })
/** A member of the organisation by user id, or a former member: then without an address. */
export type Person = v.InferOutput<typeof Person>

/** The records of an organisation, by collection; updates in the order in which the server took them. */
export interface Contents {
  people: readonly Person[]
  accounts: readonly Account[]
  success_plans: readonly SuccessPlan[]
  success_plan_updates: readonly SuccessPlanUpdate[]
  initiatives: readonly Initiative[]
  actions: readonly Action[]
  templates: readonly Template[]
}
export type Collection = keyof Contents

/** Of what a line of each file is. */
export const lineSchemas = {
  people: Person,
  accounts: recordSchemas.accounts,
  success_plans: recordSchemas.success_plans,
  success_plan_updates: recordSchemas.success_plan_updates,
  initiatives: recordSchemas.initiatives,
  actions: recordSchemas.actions,
  templates: recordSchemas.templates,
}
export const COLLECTIONS = Object.keys(lineSchemas) as Collection[]

export type RecordCollection = Exclude<Collection, 'people'>
export const RECORD_COLLECTIONS = COLLECTIONS.filter(
  (name): name is RecordCollection => name !== 'people',
)

/** Fields that belong to the server that the records came from, or are counted from other records. */
export const OMITTED: ReadonlySet<string> = new Set([
  'version',
  'success_plan_version',
  'success_plans_count',
  'actions_count',
  'actions_done_count',
])

/** The name of a collection's file. */
export const fileOf = (collection: Collection): string => `${collection.replaceAll('_', '-')}.jsonl`

/** How much of the records, of their fields, and of whole lists could not be read. */
export type Unread = Record<'records' | 'fields' | 'lists', number>
const ALL_READ: Unread = { records: 0, fields: 0, lists: 0 }

const Count = v.pipe(v.number(), v.integer(), v.minValue(0))

export const Manifest = v.object({
  format: v.literal(FORMAT),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** When it was made, by the device's clock. */
  exported_at: v.string(),
  /** When the device had read everything from the server; null if never, or if something is missing. */
  as_of: v.nullable(v.string()),
  /** How many changes were on the device alone. They are in the archive. */
  unsent: Count,
  /** How many plans' updates were not on the device and are missing. */
  plans_without_updates: Count,
  /** What could not be read, and is missing or older than the rest. Earlier builds did not count it. */
  unread: v.optional(v.object({ records: Count, fields: Count, lists: Count }), ALL_READ),
  organisation: v.object({
    id: v.pipe(v.string(), v.minLength(1)),
    /** Base URL of the API that has the id: others count from 1 as well. Earlier builds did not write it. */
    api: v.optional(v.string()),
    name: v.string(),
    currency: v.string(),
    timezone: v.string(),
  }),
  files: v.array(
    v.object({
      name: v.string(),
      /** Of its records. */
      lines: Count,
      bytes: Count,
      sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
    }),
  ),
})
export type Manifest = v.InferOutput<typeof Manifest>

/** The manifest's text, with a checksum of its own: the ids of an import follow from what it says. */
export async function signedManifest(manifest: object): Promise<string> {
  return `${JSON.stringify({ ...manifest, checksum: await checksumOf(manifest) }, null, 2)}\n`
}

/** SHA-256 of a manifest without its checksum, whatever its white space. */
export const checksumOf = (manifest: object): Promise<string> =>
  sha256(new TextEncoder().encode(JSON.stringify({ ...manifest, checksum: undefined })))

/** SHA-256 in hexadecimal. Only a secure context (HTTPS) has it. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
