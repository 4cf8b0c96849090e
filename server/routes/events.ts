// Server-sent events: tell open apps that their organisation has a new version, so that they pull `changes`.
import { endpoints } from '../../contract/endpoints.ts'
import { retryAfter } from '../errors/http-error.ts'
import type { RouteHandler } from '../http/route.ts'
import { authenticate, bearerToken, readOrganisationId } from '../http/authenticate.ts'
import { findOrganisation, notAMember } from '../domain/organisation.ts'
import { streamVersions } from '../http/sse.ts'

/** An app holds one stream for each device; more than this is a mistake. */
const MAX_STREAMS_PER_USER = 20
const openStreams = new Map<string, number>()

/** The streams of this process, for metrics. */
export const countOpenStreams = (): number =>
  [...openStreams.values()].reduce((sum, count) => sum + count, 0)

/**
 * `GET /api/v1/events`: a stream of `event: version`, `data: {"version":N}`. Ends when the session or the
 * membership ends. 401, 403 for a non-member, 429 above 20 streams of a user.
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
    const count = openStreams.get(user_id) ?? 0
    if (count >= MAX_STREAMS_PER_USER)
      throw retryAfter(429, 'Too many open streams. Please close some.', 60)
    openStreams.set(user_id, count + 1)
    const token = bearerToken(request) ?? ''
    const stream = streamVersions({
      ...events,
      version: async () =>
        (await tokens.isActive(token)) ? (await findScope())?.version : undefined,
      subscribe: (listener) => database.changes.subscribe(organisation_id, listener),
      onEnd() {
        const remaining = (openStreams.get(user_id) ?? 1) - 1
        if (remaining > 0) openStreams.set(user_id, remaining)
        else openStreams.delete(user_id)
      },
    })
    return new Response(stream, { headers })
  },
}
