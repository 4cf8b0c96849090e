// What an archive must bring back, in a form in which two organisations can be compared.
import type { Contents, Manifest } from '../../../src/features/archive/format.ts'
import { importedId } from '../../../src/features/import/imported-id.ts'

/** The base URL of the API that the archive is of. */
export const API = 'https://api.example.com'

export const originOf = (organisation_id: string, name: string) => ({
  exported_at: '2026-03-05T10:00:00.000Z',
  as_of: '2026-03-05T09:59:00.000Z',
  unsent: 0,
  plans_without_updates: 0,
  unread: { records: 0, fields: 0, lists: 0 },
  organisation: {
    id: organisation_id,
    api: API,
    name,
    currency: 'EUR',
    timezone: 'Europe/Berlin',
  },
})

export const manifestOf = (organisation_id: string, name: string): Manifest => ({
  format: 'cairn-organisation',
  version: 1,
  files: [],
  ...originOf(organisation_id, name),
})

/** Set by the server that holds the records. */
const BY_SERVER = new Set([
  'version',
  'created_at',
  'updated_at',
  'created_by',
  // Of updates: what the plan had before, as the server knows it.
  'progress_from',
  'status_from',
  // Counted from other records.
  'success_plans_count',
  'actions_count',
  'actions_done_count',
])

/** Every id as it is after an import from one organisation into another. */
export const mappedIds =
  (from: string, to: string) =>
  (name: string, value: unknown): unknown =>
    typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value) && !PEOPLE.has(name)
      ? importedId('archive', from, value, to)
      : value

const PEOPLE = new Set(['owner_id', 'assignee_id', 'user_id'])

/** The contents as sorted lines, without what the server sets; `change` is applied to each value. */
export function comparable(
  { people: _people, ...contents }: Contents,
  change: (name: string, value: unknown) => unknown = (_, value) => value,
): Record<string, unknown[]> {
  const records = JSON.parse(
    JSON.stringify(contents, (name, value: unknown) =>
      BY_SERVER.has(name) ? undefined : change(name, value),
    ),
  ) as Record<string, { id?: string }[]>
  return Object.fromEntries(
    Object.entries(records).map(([name, list]) => [
      name,
      list.toSorted((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1)),
    ]),
  )
}
