// Reads from a request who is calling, from where, and in which organisation.
import type { Context } from 'hono'
import { APP_VERSION_HEADER } from '../../contract/capabilities.ts'
import { noteAppVersion } from '../auth/app-versions.ts'
import { networkOf, shortNetwork } from '../auth/network-address.ts'
import type { SignedIn, SignInOrigin } from '../auth/tokens.ts'
import { isUuid } from '../../contract/schemas/fields.ts'
import { badRequest, retryAfter, unauthenticated } from '../errors/http-error.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Services } from './services.ts'

/** The access token of a request (RFC 6750); undefined when there is none. */
export const bearerToken = (request: Request): string | undefined =>
  /^Bearer ([\w.~+/-]+=*)$/i.exec(request.headers.get('Authorization') ?? '')?.[1]

/**
 * The signed-in user of a request. Throws an HttpError: 401 without a valid access token, 429 above the rate
 * limit, which for unknown tokens is that of the network.
 */
export async function authenticate(services: Services, context: Context): Promise<SignedIn> {
  const token = bearerToken(context.req.raw)
  if (token === undefined) throw unauthenticated()
  const user = await limitUnknown(services, context, token, () =>
    services.tokens.authenticate(token),
  )
  if (!user) throw unauthenticated()
  services.knownTokens.add(token, user.id)
  limitUser(services, user.id)
  noteVersion(services, context, user)
  return user
}

/** Counts a request of a user. Throws a 429 HttpError above the rate limit. */
export function limitUser(services: Services, user_id: string): void {
  take(services, services.userLimit, user_id)
}

/** Notes which version of the app the session's device runs. */
export function noteVersion(services: Services, context: Context, { family_id }: SignedIn): void {
  const version = context.req.header(APP_VERSION_HEADER)
  if (version !== undefined) noteAppVersion(family_id, version, services.monotonicMs())
}

/**
 * Looks a token up. Tokens that this process does not know count for their network before the look-up, which
 * is refused with a 429 HttpError above the limit: made-up tokens cost next to nothing.
 */
export async function limitUnknown<T>(
  services: Services,
  context: Context,
  token: string,
  lookUp: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { knownTokens, unknownLimit } = services
  const network = networkFrom(services, context)
  const isKnown = knownTokens.has(token)
  if (!isKnown) take(services, unknownLimit, network)
  const found = await lookUp()
  if (found === undefined) knownTokens.delete(token)
  else {
    if (!isKnown) unknownLimit.refund(network)
    knownTokens.add(token)
  }
  return found
}

/** Counts a request without a user for its network. Throws a 429 HttpError above the rate limit. */
export function limitNetwork(
  services: Services,
  network: string,
  limit = services.networkLimit,
): void {
  take(services, limit, network)
}

function take(services: Services, limit: RateLimit, caller: string): void {
  const waitSeconds = limit.take(caller, services.monotonicMs())
  if (waitSeconds > 0) throw retryAfter(429, 'Too many requests. Please wait.', waitSeconds)
}

/** The network of the caller (see networkOf); behind a trusted proxy that of the proxy's client. */
export function networkFrom(services: Services, context: Context): string {
  const forwarded = services.trustProxy ? context.req.header('X-Forwarded-For') : undefined
  const { incoming } = (context.env ?? {}) as {
    incoming?: { socket?: { remoteAddress?: string } }
  }
  // Only the last address was added by the trusted proxy; the client can forge the others.
  const last = forwarded?.split(',').at(-1)?.trim()
  return networkOf(last || (incoming?.socket?.remoteAddress ?? ''))
}

const MAX_USER_AGENT_LENGTH = 255

/** Where a session begins, for the list of sign-ins. */
export const originFrom = (services: Services, context: Context): SignInOrigin => ({
  user_agent: context.req.header('User-Agent')?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
  network: shortNetwork(networkFrom(services, context)),
})

/** The id in `X-organisation`, in lower case. Throws a 400 HttpError when it is missing or not one UUID. */
export function readOrganisationId(request: Request): string {
  const id = request.headers.get('X-organisation') ?? ''
  if (!isUuid(id)) throw badRequest('X-organisation must be the id of one organisation.')
  return id.toLowerCase()
}
