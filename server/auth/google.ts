// Signing in with Google: an ID token that only Google can have made, for this app, for somebody whose
// address it has checked. Any other OpenID provider that signs with RS256 would do as well.
import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import * as v from 'valibot'
import { EmailAddress, Website, line } from '../../contract/schemas/fields.ts'
import { errorFields, log } from '../log.ts'
import { unavailable } from '../errors/http-error.ts'

export interface Identity {
  /** Who it is for the provider, also when the address changes. */
  subject: string
  email: string
  name: string
  avatar_url: string | null
}

/** Who a token speaks for; undefined when it is refused. Throws a 503 Refusal when the provider does not answer. */
export type VerifyIdToken = (token: string, nonce?: string) => Promise<Identity | undefined>

/** How long the provider may take for its keys. Milliseconds. */
const KEYS_TIMEOUT_MS = 5_000
/** How far apart the two clocks may be. Seconds. */
const CLOCK_SKEW_SECONDS = 30

const Discovery = v.object({ issuer: v.string(), jwks_uri: Website })
const Claims = v.object({
  sub: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
  // For one app alone, which is this one.
  aud: v.string(),
  email: EmailAddress,
  email_verified: v.literal(true),
  name: v.fallback(v.nullable(line()), null),
  picture: v.fallback(v.nullable(Website), null),
  nonce: v.optional(v.string()),
})

export function createGoogleVerifier(options: {
  clientId: string
  issuer: string
  now: () => Date
}): VerifyIdToken {
  const { clientId, issuer, now } = options
  let keys: Promise<JWTVerifyGetKey> | undefined

  async function findKeys(): Promise<JWTVerifyGetKey> {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const answer = await fetch(url, {
      signal: AbortSignal.timeout(KEYS_TIMEOUT_MS),
      redirect: 'error',
    })
    const { jwks_uri, ...discovery } = v.parse(Discovery, await answer.json())
    if (discovery.issuer !== issuer) throw new Error('The issuer says that it is another one.')
    return createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: KEYS_TIMEOUT_MS })
  }

  return async (token, nonce) => {
    try {
      keys ??= findKeys()
      const { payload } = await jwtVerify(token, await keys, {
        algorithms: ['RS256'],
        // Google leaves out the protocol at times.
        issuer: [issuer, issuer.replace('https://accounts.google.com', 'accounts.google.com')],
        audience: clientId,
        requiredClaims: ['exp', 'iat'],
        clockTolerance: CLOCK_SKEW_SECONDS,
        currentDate: now(),
      })
      const claims = v.safeParse(Claims, payload)
      if (!claims.success || (nonce !== undefined && claims.output.nonce !== nonce))
        return undefined
      const { sub: subject, email, name, picture } = claims.output
      return { subject, email, name: name ?? email, avatar_url: picture }
    } catch (error) {
      if (isTokenError(error)) return undefined
      keys = undefined
      log('error', 'sign-in provider unreachable', errorFields(error))
      throw unavailable('Google does not answer. Please try again.')
    }
  }
}

/** Whether it is the token that is wrong, not the way to the keys. */
const isTokenError = (error: unknown) =>
  error instanceof errors.JOSEError &&
  !(error instanceof errors.JWKSTimeout) &&
  !(error instanceof errors.JWKSInvalid) &&
  error.code !== errors.JOSEError.code
