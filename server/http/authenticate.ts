// Reads from a request who is calling and in which organisation.
import type { SignedIn } from '../auth/tokens.ts'
import { isUuid } from '../domain/organisation.ts'
import { badRequest, retryAfter, unauthenticated } from '../errors/http-error.ts'
import type { Services } from './services.ts'

/** The access token of a request (RFC 6750); undefined when there is none. */
export const bearerToken = (request: Request): string | undefined =>
  /^Bearer ([\w.~+/-]+=*)$/i.exec(request.headers.get('Authorization') ?? '')?.[1]

/** The signed-in user of a request. Throws an HttpError: 401 without a valid access token, 429 above the rate limit. */
export async function authenticate(services: Services, request: Request): Promise<SignedIn> {
  const token = bearerToken(request)
  const user = token === undefined ? undefined : await services.tokens.authenticate(token)
  if (!user) throw unauthenticated()
  enforceRateLimit(services, user.id)
  return user
}

/** Counts a request of the caller (a user id or a network address). Throws a 429 HttpError above the rate limit. */
export function enforceRateLimit(services: Services, caller: string): void {
  const waitSeconds = services.rateLimit.take(caller, services.now())
  if (waitSeconds > 0) throw retryAfter(429, 'Too many requests. Please wait.', waitSeconds)
}

/** The id in `X-organisation`, in lower case. Throws a 400 HttpError when it is missing or not one UUID. */
export function readOrganisationId(request: Request): string {
  const id = request.headers.get('X-organisation') ?? ''
  if (!isUuid(id)) throw badRequest('X-organisation must be the id of one organisation.')
  return id.toLowerCase()
}
