// Binds endpoints whose handlers hash a password or call an external service before they can respond.
import type { Endpoint } from '../../contract/endpoint.ts'
import { readKey } from './idempotency.ts'
import { present, toResponse } from './present.ts'
import { readBytes } from './request-body.ts'
import {
  readInput,
  type RouteHandler,
  type MemberCall,
  type PublicCall,
  type Result,
} from './route.ts'
import { authenticate, networkFrom, readOrganisationId } from './authenticate.ts'
import { enterAsMember, identify } from './access/sender.ts'
import { requireSession, writeInSession } from './access/session.ts'
import type { Tx } from '../database/connection.ts'
import type { SignedIn } from '../auth/tokens.ts'

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
      const sender = await identify(services, context)
      const organisation_id = readOrganisationId(context.req.raw)
      // A malformed key is a mistake here as well.
      if (row.method !== 'GET') readKey(context.req.header('Idempotency-Key'))
      const bytes = row.body ? await readBytes(context) : undefined
      // After the body was read, which may take long: access may have ended meanwhile.
      const { user, organisation } = await enterAsMember(sender, organisation_id)
      const input = readInput<E>(row, context, bytes)
      const now = services.now().toISOString()
      const result = await handle({ services, user, organisation, now, ...input })
      return toResponse(present(row, result, context.req.url))
    },
  }
}

/** A request of a user who was signed in when it began. */
interface UserCallNoTx<E extends Endpoint> extends PublicCall<E> {
  user: SignedIn
  now: Date
  /** See `requireSession`: each transaction that writes begins with it. */
  requireSession: (tx: Tx) => Promise<SignedIn>
  /** See `writeInSession`: for transactions of organisations. */
  writeInSession: <T>(organisation_id: string, work: (tx: Tx) => Promise<T>) => Promise<T>
}

/**
 * Binds an endpoint for any signed-in user without a transaction: the handler opens its own, so that none stays
 * open while a password is hashed. Responses are not stored under idempotency keys: neither must a password be,
 * and the handler is idempotent by itself. Errors as in `userRoute`.
 */
export function userRouteNoTx<E extends Endpoint>(
  row: E,
  handle: (call: UserCallNoTx<E>) => Promise<Result<E>>,
): RouteHandler {
  return {
    row,
    async respond(services, context) {
      const user = await authenticate(services, context)
      // A malformed key is a mistake here as well.
      readKey(context.req.header('Idempotency-Key'))
      const bytes = row.body ? await readBytes(context) : undefined
      const input = readInput<E>(row, context, bytes)
      const network = networkFrom(services, context)
      const request_id = context.get('request_id')
      const now = services.now()
      const result = await handle({
        services,
        user,
        network,
        request_id,
        now,
        requireSession: (tx) => requireSession(services, context, tx, user.id),
        writeInSession: (id, work) => writeInSession(services, context, id, work),
        ...input,
      })
      return toResponse(present(row, result, context.req.url))
    },
  }
}
