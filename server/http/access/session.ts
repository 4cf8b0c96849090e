// The session of a user who changes something: it may have ended since the request began, whose body may take long.
import type { Context } from 'hono'
import type { SignedIn } from '../../auth/tokens.ts'
import type { Tx } from '../../database/connection.ts'
import { unauthenticated } from '../../errors/http-error.ts'
import { bearerToken } from '../authenticate.ts'
import type { Services } from '../services.ts'

/**
 * The user as `authenticate` found, read again and locked until the transaction ends (see `lockUser`). To be called
 * first in the transaction that writes. Throws a 401 HttpError when the session has ended.
 */
export async function requireSession(
  { tokens, knownTokens }: Services,
  context: Context,
  tx: Tx,
  user_id: string,
): Promise<SignedIn> {
  const token = bearerToken(context.req.raw) ?? ''
  const user = await tokens.lockSession(tx, token, user_id)
  if (user) return user
  knownTokens.delete(token)
  throw unauthenticated()
}

/**
 * Runs `work` in a transaction that writes in the organisation, once the session was looked up under its lock. Throws a
 * 401 HttpError when the session has ended.
 */
export function writeInSession<T>(
  { database, tokens, knownTokens }: Services,
  context: Context,
  organisation_id: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const token = bearerToken(context.req.raw) ?? ''
  const session = tokens.sessionOf?.(token)
  return database.tenant(
    organisation_id,
    async (tx, [sessions = []]) => {
      if (session?.read(sessions)) return work(tx)
      knownTokens.delete(token)
      throw unauthenticated()
    },
    undefined,
    'write',
    session && { auth: session, tenant: [] },
  )
}
