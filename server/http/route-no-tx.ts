// Binds endpoints whose handlers call an external service before they can respond.
import type { Endpoint } from '../../contract/endpoint.ts'
import { present, toResponse } from './present.ts'
import { readBytes } from './request-body.ts'
import { readInput, type RouteHandler, type MemberCall, type Result } from './route.ts'
import { authenticate, readOrganisationId } from './authenticate.ts'
import { findOrganisation, notAMember } from '../domain/organisation.ts'

/**
 * Binds an endpoint for members without a transaction: the handler opens its own, so that none stays open
 * during an external call. Responses are not stored under idempotency keys, so the handler must be idempotent
 * by itself. Errors as in `memberRoute`.
 */
export function memberRouteNoTx<E extends Endpoint>(
  row: E,
  handle: (
    call: Omit<MemberCall<E>, 'tx' | 'ifMatch' | 'request_id' | 'afterCommit'>,
  ) => Promise<Result<E>>,
): RouteHandler {
  return {
    row,
    async respond(services, context) {
      const user = await authenticate(services, context.req.raw)
      const id = readOrganisationId(context.req.raw)
      const bytes = row.body ? await readBytes(context.req.raw) : undefined
      const organisation = await services.database.tenant(id, (tx) =>
        findOrganisation(tx, user.id, id),
      )
      if (!organisation) throw notAMember()
      const input = readInput<E>(row, context, bytes)
      const now = services.now().toISOString()
      const result = await handle({ services, user, organisation, now, ...input })
      return toResponse(present(row, result, context.req.url))
    },
  }
}
