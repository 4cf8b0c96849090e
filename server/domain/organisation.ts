// Who is calling, and in which organisation: the only way to a tenant's rows.
import type { Tx } from '../database/database.ts'
import { markChanged } from '../database/change-bus.ts'
import { forbidden, retryAfter, badRequest, unauthenticated } from '../errors/http-error.ts'
import type { Services } from '../http/services.ts'
import type { SignedIn } from '../auth/tokens.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
export const isUuid = (text: string): boolean => UUID.test(text)

/** The access token of a request. */
export const bearerToken = (request: Request): string | undefined =>
  /^Bearer ([\w.~+/-]+=*)$/i.exec(request.headers.get('Authorization') ?? '')?.[1]

/** The signed-in user of a request. Throws a 401 Refusal, or a 429 one when the calls are too many. */
export async function authenticate(services: Services, request: Request): Promise<SignedIn> {
  const token = bearerToken(request)
  const user = token === undefined ? undefined : await services.tokens.authenticate(token)
  if (!user) throw unauthenticated()
  enforceRateLimit(services, user.id)
  return user
}

/** Takes a call from the caller's share. Throws a 429 Refusal when it is used up. */
export function enforceRateLimit(services: Services, caller: string): void {
  const wait = services.rateLimit.take(caller, services.now())
  if (wait > 0) throw retryAfter(429, 'Too many calls. Please wait.', wait)
}

/** The organisation that a request names. Throws a 400 Refusal when there is not exactly one id. */
export function readOrganisationId(request: Request): string {
  const id = request.headers.get('X-organisation') ?? ''
  if (!isUuid(id)) throw badRequest('X-organisation must be the id of one organisation.')
  return id.toLowerCase()
}

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
