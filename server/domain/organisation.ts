// Who is calling, and in which organisation: the only way to a tenant's rows.
import { randomInt } from 'node:crypto'
import type { Tx } from '../database/database.ts'
import { markChanged } from '../database/change-bus.ts'
import { forbidden } from '../errors/http-error.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
export const isUuid = (text: string): boolean => UUID.test(text)

export interface OrganisationScope {
  id: string
  user_id: string
  plan: string
  currency: string
  timezone: string
  version: number
  first_version: number
  pivot: { role: 'admin' | 'member' }
}

export const notAMember = () => forbidden('You do not belong to this organisation.')

/**
 * The organisation as its member sees it; undefined for everyone else. `toWrite` holds its row until the
 * transaction ends: writers of one organisation go one after the other, so what one has looked at, a
 * version, a limit, a role, is still so when it writes.
 */
export async function findOrganisation(
  tx: Tx,
  user_id: string,
  id: string,
  forUpdate = false,
): Promise<OrganisationScope | undefined> {
  const found = await tx
    .selectFrom('organisation_users')
    .innerJoin('organisations', 'organisations.id', 'organisation_users.organisation_id')
    .select([
      'organisations.id',
      'organisations.user_id',
      'organisations.plan',
      'organisations.currency',
      'organisations.timezone',
      'organisations.version',
      'organisations.first_version',
      'organisation_users.role',
    ])
    .where('organisation_users.organisation_id', '=', id)
    .where('organisation_users.user_id', '=', user_id)
    .$if(forUpdate, (rows) => rows.forNoKeyUpdate('organisations'))
    .executeTakeFirst()
  if (!found) return undefined
  const { role, ...organisation } = found
  return { ...organisation, pivot: { role } }
}

/**
 * The version for the record that is about to be written; with `count`, the last of as many. The organisation's row stays locked until
 * the transaction ends, so versions become visible in order and `changes` never skips one.
 */
export async function nextVersion(tx: Tx, organisation_id: string, count = 1): Promise<number> {
  const { version } = await tx
    .updateTable('organisations')
    .set((row) => ({ version: row('version', '+', count) }))
    .where('id', '=', organisation_id)
    .returning('version')
    .executeTakeFirstOrThrow()
  markChanged(tx, organisation_id)
  return version
}

// Far apart, and all sums below 10^15: versions of two databases do not meet.
const VERSION_RANGE = 1_000_000_000
const VERSION_RANGE_COUNT = 900_000

/** Where the versions of a new organisation begin. */
export const newFirstVersion = (): number => randomInt(1, VERSION_RANGE_COUNT) * VERSION_RANGE
