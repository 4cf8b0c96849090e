// Server-sent events: tell open apps that their organisation has a new version, so that they pull `changes`.
import { endpoints } from '../../contract/endpoints.ts'
import { retryAfter } from '../errors/http-error.ts'
import type { RouteHandler } from '../http/route.ts'
import { authenticate, bearerToken, readOrganisationId } from '../http/authenticate.ts'
import { findOrganisation, notAMember } from '../domain/organisation.ts'
import { streamVersions } from '../http/sse.ts'

/** An app polls meanwhile. */
const RETRY_SECONDS = 60

/**
 * `GET /api/v1/events`: a stream of `event: version`, `data: {"version":N}`. Ends when the session or the
 * membership ends. 401, 403 for a non-member, 429 with `Retry-After` above the STREAM_LIMITS of the user or the
 * organisation.
 */
export const getEvents: RouteHandler = {
  row: endpoints.getEvents,
  async respond(services, context) {
    const request = context.req.raw
    const { id: user_id } = await authenticate(services, context)
    const organisation_id = readOrganisationId(request)
    const { database, tokens, events } = services
    const findScope = () =>
      database.tenant(organisation_id, (tx) => findOrganisation(tx, user_id, organisation_id))
    if (!(await findScope())) throw notAMember()
    const headers = {
      'Content-Type': 'text/event-stream',
      // Keeps nginx and others from buffering the stream.
      'X-Accel-Buffering': 'no',
    }
    if (request.method === 'HEAD') return new Response(null, { headers })
    const onEnd = services.streams.open(user_id, organisation_id)
    if (!onEnd) throw retryAfter(429, 'Too many open streams. Please close some.', RETRY_SECONDS)
    const token = bearerToken(request) ?? ''
    const stream = streamVersions({
      ...events,
      version: async () =>
        (await tokens.isActive(token)) ? (await findScope())?.version : undefined,
      subscribe: (listener) => database.changes.subscribe(organisation_id, listener),
      onEnd,
    })
    return new Response(stream, { headers })
  },
}
