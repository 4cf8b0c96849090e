// Organisations: membership as the only way to a tenant's rows, and versions.
import { randomInt } from 'node:crypto'
import type { RawBuilder } from 'kysely'
import type { Tx } from '../database/connection.ts'
import { markChanged, markMembersChanged } from '../database/change-bus.ts'
import { createLookUp, type LookUp } from '../database/wire/look-up.ts'
import { forbidden } from '../errors/http-error.ts'

/** An organisation with the caller's role in it. */
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

/** 403: the caller is not a member. The same for an organisation that does not exist. */
export const notAMember = () => forbidden('You do not belong to this organisation.')

/** What a transaction of several operations of one member holds. */
interface HeldOrganisation {
  user_id: string
  organisation: OrganisationScope | undefined
}
const heldBy = new WeakMap<Tx, HeldOrganisation>()

/** The organisation and the role of its member; undefined for other users. */
export async function findOrganisation(
  tx: Tx,
  user_id: string,
  id: string,
): Promise<OrganisationScope | undefined> {
  const held = heldBy.get(tx)
  if (held?.user_id === user_id && held.organisation?.id === id) return { ...held.organisation }
  return scopeOf(await selectMembership(tx, user_id, id).executeTakeFirst())
}

const selectMembership = (tx: Tx, user_id: Operand, id: Operand) =>
  tx
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

type Operand = string | RawBuilder<string>
type MembershipRow = Awaited<
  ReturnType<ReturnType<typeof selectMembership>['executeTakeFirstOrThrow']>
>

function scopeOf(found: MembershipRow | undefined): OrganisationScope | undefined {
  if (!found) return undefined
  const { role, ...organisation } = found
  return { ...organisation, pivot: { role } }
}

/** As `findOrganisation`. */
export const membershipOf: (user_id: string, id: string) => LookUp<OrganisationScope | undefined> =
  createLookUp(['uuid', 'uuid'], selectMembership, scopeOf)

/** Locks the organisation until the transaction ends, where there is one, as `Database.tenant` does for a write. */
export const lockOrganisation = async (tx: Tx, id: string): Promise<void> => {
  await tx.selectFrom('organisations').where('id', '=', id).forNoKeyUpdate().execute()
}

/**
 * Takes the next `count` versions of the organisation and returns the last one. The organisation's row stays
 * locked until the transaction ends, so versions become visible in order and `changes` never skips one.
 */
export async function nextVersion(tx: Tx, organisation_id: string, count = 1): Promise<number> {
  const organisation = heldBy.get(tx)?.organisation
  if (organisation?.id === organisation_id) return (organisation.version += count)
  return takeVersions(tx, organisation_id, count)
}

async function takeVersions(tx: Tx, organisation_id: string, count: number): Promise<number> {
  const { version } = await tx
    .updateTable('organisations')
    .set((row) => ({ version: row('version', '+', count) }))
    .where('id', '=', organisation_id)
    .returning('version')
    .executeTakeFirstOrThrow()
  markChanged(tx, organisation_id, version)
  return version
}

/**
 * The organisation for several operations of one member, in a transaction that has locked it. Within that
 * `findOrganisation` and `nextVersion` then need no statement, until `write` stores the last version.
 */
export async function holdOrganisation(tx: Tx, user_id: string, id: string) {
  const organisation = await findOrganisation(tx, user_id, id)
  heldBy.set(tx, { user_id, organisation })
  const before = organisation?.version ?? 0
  return {
    mark() {
      const version = organisation?.version ?? 0
      return () => {
        if (organisation) organisation.version = version
      }
    },
    async write() {
      const taken = (organisation?.version ?? 0) - before
      if (taken > 0) await takeVersions(tx, id, taken)
    },
  }
}

/** Deletes an organisation with all its records. Its members' apps are notified. */
export async function removeOrganisation(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('organisations').where('id', '=', id).execute()
  markMembersChanged(tx, id)
  markChanged(tx, id)
}

// Ranges far apart, below 10^15 (safe in a double), so that versions of two databases do not overlap.
const VERSION_RANGE = 1_000_000_000
const VERSION_RANGE_COUNT = 900_000

/** The first version of a new organisation, random, so that a device notices when a database was replaced. */
export const newFirstVersion = (): number => randomInt(1, VERSION_RANGE_COUNT) * VERSION_RANGE
