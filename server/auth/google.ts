// Verifies ID tokens of Google: signed by Google, issued for this app, with a verified e-mail address. Works
// with any OpenID Connect provider that signs with RS256.
import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import * as v from 'valibot'
import { EmailAddress, Website, line } from '../../contract/schemas/fields.ts'
import { errorFields, log } from '../log.ts'
import { unavailable } from '../errors/http-error.ts'

/** The user that an ID token identifies. */
export interface Identity {
  provider: 'google' | 'oidc'
  /** The provider's id of the user (`sub`); it stays the same when the e-mail address changes. */
  subject: string
  email: string
  name: string
  avatar_url: string | null
  /** When the token expires, ISO 8601. */
  expires_at: string
}

/**
 * Verifies an ID token that was issued for `nonce`. Undefined when the token is not valid. Throws a 503
 * HttpError when the keys of the provider cannot be fetched.
 */
export type VerifyIdToken = (token: string, nonce: string) => Promise<Identity | undefined>

const KEYS_TIMEOUT_MS = 5_000
const CLOCK_SKEW_SECONDS = 30

const Discovery = v.object({ issuer: v.string(), jwks_uri: Website })
const Claims = v.object({
  sub: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
  // A string, not a list: the token is for this app only.
  aud: v.string(),
  email: EmailAddress,
  email_verified: v.literal(true),
  name: v.fallback(v.nullable(line()), null),
  picture: v.fallback(v.nullable(Website), null),
  nonce: v.string(),
  exp: v.number(),
})

/** The keys are fetched once and again after a failure. `issuer` is the URL of the OpenID provider. */
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
    if (discovery.issuer !== issuer) throw new Error('The discovery document names another issuer.')
    return createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: KEYS_TIMEOUT_MS })
  }

  return async (token, nonce) => {
    try {
      keys ??= findKeys()
      const { payload } = await jwtVerify(token, await keys, {
        algorithms: ['RS256'],
        // Google sometimes leaves out the protocol.
        issuer: [issuer, issuer.replace('https://accounts.google.com', 'accounts.google.com')],
        audience: clientId,
        requiredClaims: ['exp', 'iat'],
        clockTolerance: CLOCK_SKEW_SECONDS,
        currentDate: now(),
      })
      const claims = v.safeParse(Claims, payload)
      if (!claims.success || claims.output.nonce !== nonce) return undefined
      const { sub: subject, email, name, picture, exp } = claims.output
      const expires_at = new Date((exp + CLOCK_SKEW_SECONDS) * 1_000).toISOString()
      return {
        provider: 'google',
        subject,
        email,
        name: name ?? email,
        avatar_url: picture,
        expires_at,
      }
    } catch (error) {
      if (isTokenError(error)) return undefined
      keys = undefined
      log('error', 'sign-in provider unreachable', errorFields(error))
      throw unavailable('Google is not responding. Please try again.')
    }
  }
}

/** Whether the token is at fault, and not the connection to the provider. */
const isTokenError = (error: unknown) =>
  error instanceof errors.JOSEError &&
  !(error instanceof errors.JWKSTimeout) &&
  !(error instanceof errors.JWKSInvalid) &&
  error.code !== errors.JOSEError.code
