// Signing in with the configured OpenID Connect issuer: the way there and back. The token endpoint does the rest.
import type { Context } from 'hono'
import { endpoints } from '../../../contract/endpoints.ts'
import { notFound } from '../../errors/http-error.ts'
import { publicRoute } from '../../http/route.ts'

/**
 * `POST /api/v1/oidc-sign-in`: the address at the issuer to which the app sends the user. 404 without an issuer, 429,
 * 503 when it is not responding.
 */
export const startOidcSignIn = publicRoute(
  endpoints.startOidcSignIn,
  async ({ services: { oidc }, body }) => {
    if (!oidc) throw notFound()
    return { authorization_url: await oidc.authorizationUrl(body) }
  },
)

/**
 * The issuer returns users here with `code` and `state`. The app gets both after the `#`, which browsers send to no
 * server.
 */
export const returnFromIssuer = (context: Context): Response =>
  context.redirect(`/auth#${new URL(context.req.url).search.slice(1)}`)
