// Server-sent events: tell open apps that their organisation has a new version, so that they pull `changes`.
import { endpoints } from '../../contract/endpoints.ts'
import type { TokenService } from '../auth/tokens.ts'
import type { Database } from '../database/database.ts'
import { chunked } from '../domain/records.ts'
import { retryAfter } from '../errors/http-error.ts'
import type { StreamSource } from '../http/sync/event-streams.ts'
import type { StreamOwner } from '../http/sync/open-stream.ts'
import type { RouteHandler } from '../http/route.ts'
import { requireMembership } from '../http/access/sender.ts'
import { readEvent } from './changes.ts'

/** An app polls meanwhile. */
const RETRY_SECONDS = 60

/** Each has up to two values in a statement, of which PostgreSQL takes 65,535. */
const IN_ONE_STATEMENT = 10_000

/** What the open streams read from the database. */
export const streamAccess = (
  database: Database,
  tokens: TokenService,
): Pick<StreamSource, 'changes' | 'readEvent' | 'readVersions' | 'findAllowed'> => ({
  changes: database.changes,
  readEvent: (organisation_id, interval) =>
    database.tenantSnapshot(organisation_id, (tx) => readEvent(tx, organisation_id, interval)),
  readVersions: (organisation_ids) =>
    database.system(async (tx) => {
      const versions = new Map<string, number>()
      for (const ids of chunked(organisation_ids, IN_ONE_STATEMENT)) {
        const organisations = await tx
          .selectFrom('organisations')
          .select(['id', 'version'])
          .where('id', 'in', ids)
          .execute()
        for (const { id, version } of organisations) versions.set(id, version)
      }
      return versions
    }),
  findAllowed: (owners) =>
    database.auth(async (tx) => {
      const allowed = new Set<StreamOwner>()
      for (const some of chunked(owners, IN_ONE_STATEMENT)) {
        const active = await tokens.findActive(
          tx,
          some.map(({ family_id }) => family_id),
        )
        const members = await tx
          .selectFrom('organisation_users')
          .select(['organisation_id', 'user_id'])
          .where('organisation_id', 'in', [...new Set(some.map((one) => one.organisation_id))])
          .where('user_id', 'in', [...new Set(some.map((one) => one.user_id))])
          .execute()
        const memberships = new Set(members.map((one) => `${one.organisation_id} ${one.user_id}`))
        for (const owner of some) {
          const { family_id, organisation_id, user_id } = owner
          if (active.has(family_id) && memberships.has(`${organisation_id} ${user_id}`))
            allowed.add(owner)
        }
      }
      return allowed
    }),
})

/**
 * `GET /api/v1/events`: a stream of `event: version`, `data: {"version":N}`, with the changes since the event before
 * where they are few (see `eventOf`). Ends when the session or the membership ends. 401; 403 for a non-member; 429
 * with `Retry-After` above the STREAM_LIMITS of the user or the organisation.
 */
export const getEvents: RouteHandler = {
  row: endpoints.getEvents,
  async respond(services, context) {
    const request = context.req.raw
    const { user, organisation } = await requireMembership(services, context)
    const headers = {
      'Content-Type': 'text/event-stream',
      // Keeps nginx and others from buffering the stream.
      'X-Accel-Buffering': 'no',
    }
    if (request.method === 'HEAD') return new Response(null, { headers })
    const stream = services.streams.open(
      { user_id: user.id, organisation_id: organisation.id, family_id: user.family_id },
      organisation.version,
    )
    if (!stream) throw retryAfter(429, 'Too many open streams. Please close some.', RETRY_SECONDS)
    return new Response(stream, { headers })
  },
}
