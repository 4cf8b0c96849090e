// Tells open apps that their organisation moved on, so that they pull `changes`.
import { endpoints } from '../../contract/endpoints.ts'
import { later } from '../refusal.ts'
import type { Bound } from '../route.ts'
import {
  authenticate,
  bearerOf,
  findOrganisation,
  notAMember,
  readOrganisationId,
} from '../scope.ts'
import { streamVersions } from '../version-stream.ts'

/** An app holds one for each device; more than this is a mistake. */
const PER_USER = 20
const open = new Map<string, number>()

export const getEvents: Bound = {
  row: endpoints.getEvents,
  async respond(services, context) {
    const request = context.req.raw
    const { id: user_id } = await authenticate(services, request)
    const organisation_id = readOrganisationId(request)
    const { database, tokens, events } = services
    const find = () =>
      database.tenant(organisation_id, (tx) => findOrganisation(tx, user_id, organisation_id))
    if (!(await find())) throw notAMember()
    const headers = {
      'Content-Type': 'text/event-stream',
      // For proxies that would hold back what is meant for now.
      'X-Accel-Buffering': 'no',
    }
    if (request.method === 'HEAD') return new Response(null, { headers })
    const count = open.get(user_id) ?? 0
    if (count >= PER_USER) throw later(429, 'Too many open streams. Please close some.', 60)
    open.set(user_id, count + 1)
    const token = bearerOf(request) ?? ''
    const stream = streamVersions({
      ...events,
      version: async () => ((await tokens.goesOn(token)) ? (await find())?.version : undefined),
      listen: (listener) => database.moves.listen(organisation_id, listener),
      ended() {
        const left = (open.get(user_id) ?? 1) - 1
        if (left > 0) open.set(user_id, left)
        else open.delete(user_id)
      },
    })
    return new Response(stream, { headers })
  },
}
