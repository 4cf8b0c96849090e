// Sign-in with an OpenID Connect issuer by authorization code and PKCE. The library is loaded with the first sign-in.
import type * as openid from 'openid-client'
import * as v from 'valibot'
import type { OidcConfiguration } from '../configuration/integrations.ts'
import { EmailAddress, Website, line } from '../../contract/schemas/fields.ts'
import { unavailable } from '../errors/http-error.ts'
import { errorFields, log } from '../log.ts'
import type { Identity } from './google.ts'

/** Where the issuer sends users back to, below PUBLIC_URL. */
export const OIDC_RETURN_PATH = '/oauth/return'

/** What the issuer returned to the app, with what the app has asked for. */
interface OidcAnswer {
  code: string
  /** The secret behind the `code_challenge` of the request (RFC 7636). */
  code_verifier: string
  nonce: string
  /** The issuer's name for itself, where it sends one (RFC 9207). */
  iss?: string | undefined
}

/** The configured issuer. */
export interface OidcProvider {
  issuer: string
  /** The address at which the user signs in. Throws a 503 HttpError when the issuer is away. */
  authorizationUrl(request: {
    state: string
    nonce: string
    code_challenge: string
  }): Promise<string>
  /**
   * The user behind an answer; undefined when it is not valid. `unverified`: the issuer has not confirmed the address;
   * `foreign`: its domain is not allowed. Throws a 503 HttpError when the issuer is away.
   */
  identify(answer: OidcAnswer): Promise<Identity | 'unverified' | 'foreign' | undefined>
}

const TIMEOUT_SECONDS = 5
/** How long a used code is remembered; RFC 6749 recommends that one is valid for ten minutes at most. */
const CODE_TTL_MS = 3_600_000
/** Asymmetric: the client's secret must not be good for signing tokens. */
const ALGORITHMS = ['RS256', 'ES256', 'PS256', 'EdDSA', 'Ed25519']

const Claims = v.object({
  sub: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
  email: EmailAddress,
  email_verified: v.unknown(),
  name: v.fallback(v.nullable(line()), null),
  picture: v.fallback(v.nullable(Website), null),
})

/** Of `email_verified`. Entra ID sends it from a mapped attribute, which is a text. */
const CONFIRMED: unknown[] = [true, 'true']

/** Reads the discovery document of an issuer. Rejects with the reason when it cannot be read or used. */
export async function discoverIssuer({
  issuer,
  clientId,
  clientSecret,
}: Omit<OidcConfiguration, 'domains'>): Promise<openid.Configuration> {
  const client = await import('openid-client')
  const url = new URL(issuer)
  const config = await client
    .discovery(
      url,
      clientId,
      undefined,
      clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret),
      {
        timeout: TIMEOUT_SECONDS,
        execute: [
          // Checks the signature of ID tokens, also of those that came over TLS.
          client.enableNonRepudiationChecks,
          ...(url.protocol === 'http:' ? [client.allowInsecureRequests] : []),
        ],
      },
    )
    .catch((error: unknown) => {
      // Without the code of the library’s error, for which the log would leave out the message.
      throw new Error(reasonOf(error), { cause: error })
    })
  const { id_token_signing_alg_values_supported: algorithms = [] } = config.serverMetadata()
  if (!algorithms.some((algorithm) => ALGORITHMS.includes(algorithm)))
    throw new Error(`The issuer signs with none of ${ALGORITHMS.join(', ')}.`)
  return config
}

/** The message of an error or, of a connection that failed, its code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause, message } = error
  const isConnection = error instanceof TypeError && cause instanceof Error && 'code' in cause
  return isConnection ? String(cause.code) : message
}

/** An issuer that is found by discovery at the first use, and again after a failure. */
export function createOidcProvider(
  { issuer, clientId, clientSecret, domains }: OidcConfiguration,
  { publicUrl, now }: { publicUrl: () => string; now: () => Date },
): OidcProvider {
  let found: Promise<openid.Configuration> | undefined

  /** Does something with the issuer. Throws a 503 HttpError when that fails. */
  async function withIssuer<T>(
    work: (client: typeof openid, config: openid.Configuration) => Promise<T>,
  ): Promise<T> {
    const client = await import('openid-client')
    try {
      found ??= discoverIssuer({ issuer, clientId, clientSecret })
      return await work(client, await found)
    } catch (error) {
      found = undefined
      log('error', 'sign-in provider unreachable', errorFields(error))
      throw unavailable('The sign-in service is not responding. Please try again.')
    }
  }

  return {
    issuer,

    authorizationUrl: (request) =>
      withIssuer(async (client, config) => {
        const parameters = {
          redirect_uri: publicUrl() + OIDC_RETURN_PATH,
          scope: 'openid email profile',
          code_challenge_method: 'S256',
          ...request,
        }
        return client.buildAuthorizationUrl(config, parameters).href
      }),

    identify: ({ code, code_verifier, nonce, iss }) =>
      withIssuer(async (client, config) => {
        const answer = new URL(publicUrl() + OIDC_RETURN_PATH)
        answer.searchParams.set('code', code)
        if (iss !== undefined) answer.searchParams.set('iss', iss)
        const user = await userBehind(answer, { client, config, code_verifier, nonce })
        if (!user) return undefined
        const read = v.safeParse(Claims, user)
        if (!read.success || !CONFIRMED.includes(read.output.email_verified)) return 'unverified'
        const { sub, email, name, picture } = read.output
        if (domains && !domains.includes(email.split('@').at(-1) ?? '')) return 'foreign'
        return {
          provider: 'oidc',
          // With another issuer, the same id is another user.
          subject: `${issuer} ${sub}`,
          email,
          name: name ?? email,
          avatar_url: picture,
          expires_at: new Date(now().getTime() + CODE_TTL_MS).toISOString(),
        }
      }),
  }
}

/** The claims of the user who was sent back with `answer`; undefined when the answer is at fault. */
async function userBehind(
  answer: URL,
  about: {
    client: typeof openid
    config: openid.Configuration
    code_verifier: string
    nonce: string
  },
): Promise<openid.UserInfoResponse | openid.IDToken | undefined> {
  const { client, config, code_verifier, nonce } = about
  try {
    const tokens = await client.authorizationCodeGrant(config, answer, {
      pkceCodeVerifier: code_verifier,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    // Some issuers have the address only in `userinfo`.
    const isElsewhere = config.serverMetadata().userinfo_endpoint !== undefined
    return claims && claims.email === undefined && isElsewhere
      ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
      : claims
  } catch (error) {
    if (isAnswerError(client, error)) return undefined
    throw error
  }
}

/** The code, or the token that it was exchanged for, is at fault, and not the connection to the issuer. */
const ANSWER_ERRORS = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
])

function isAnswerError(client: typeof openid, error: unknown): boolean {
  if (error instanceof client.ResponseBodyError) return error.error === 'invalid_grant'
  return error instanceof client.ClientError && ANSWER_ERRORS.has(error.code ?? '')
}
