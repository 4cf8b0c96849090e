// Who is calling, and which organisation the request names.
import type { SignedIn } from '../auth/tokens.ts'
import { isUuid } from '../domain/organisation.ts'
import { badRequest, retryAfter, unauthenticated } from '../errors/http-error.ts'
import type { Services } from './services.ts'

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
