// Binds rows whose handlers ask somebody else before they can answer.
import type { Endpoint } from '../../contract/endpoint.ts'
import { present, toResponse } from './present.ts'
import { readBytes } from './request-body.ts'
import { readInput, type RouteHandler, type MemberCall, type Result } from './route.ts'
import { authenticate, readOrganisationId } from './authenticate.ts'
import { findOrganisation, notAMember } from '../domain/organisation.ts'

/**
 * Binds a row whose handler asks others, which takes its time: no transaction stays open meanwhile, and
 * the handler opens its own. Answers are not kept for idempotency keys, so it must do no harm twice.
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
