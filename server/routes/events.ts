// Server-sent events: tell open apps that their organisation has a new version, so that they pull `changes`.
import { endpoints } from '../../contract/endpoints.ts'
import type { TokenService } from '../auth/tokens.ts'
import type { Database } from '../database/database.ts'
import { retryAfter } from '../errors/http-error.ts'
import type { StreamSource } from '../http/sync/event-streams.ts'
import type { RouteHandler } from '../http/route.ts'
import { requireMembership } from '../http/access/sender.ts'
import { readEvent } from './changes.ts'

/** An app polls meanwhile. */
const RETRY_SECONDS = 60

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
      const organisations = await tx
        .selectFrom('organisations')
        .select(['id', 'version'])
        .where('id', 'in', organisation_ids)
        .execute()
      return new Map(organisations.map(({ id, version }) => [id, version]))
    }),
  findAllowed: (owners) =>
    database.auth(async (tx) => {
      const active = await tokens.findActive(
        tx,
        owners.map(({ family_id }) => family_id),
      )
      const members = await tx
        .selectFrom('organisation_users')
        .select(['organisation_id', 'user_id'])
        .where('organisation_id', 'in', [...new Set(owners.map((one) => one.organisation_id))])
        .where('user_id', 'in', [...new Set(owners.map((one) => one.user_id))])
        .execute()
      const memberships = new Set(members.map((one) => `${one.organisation_id} ${one.user_id}`))
      return new Set(
        owners.filter(
          ({ family_id, organisation_id, user_id }) =>
            active.has(family_id) && memberships.has(`${organisation_id} ${user_id}`),
        ),
      )
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
