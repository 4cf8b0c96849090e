// Passport's token endpoint: access tokens expire, and a refresh token works once.
import type { PlainOptions } from './plain-options.ts'

export interface PlainUser {
  id: string
  name: string
  email: string
  password: string
  superadmin: boolean
  timezone: string
}

interface TokenAnswer {
  status: number
  body: Record<string, unknown>
}

const oauthError = (status: number, error: string, message: string): TokenAnswer => ({
  status,
  body: { error, error_description: message, message },
})

export class PlainTokens {
  readonly #options: PlainOptions
  readonly #newToken: () => string
  readonly #access = new Map<string, { user: PlainUser; expiresAt: number }>()
  readonly #refresh = new Map<string, PlainUser>()

  constructor(options: PlainOptions, newToken: () => string) {
    this.#options = options
    this.#newToken = newToken
  }

  /** The user of an Authorization header; undefined without a valid token. `now` in epoch milliseconds. */
  userOf(authorization: string | undefined, now: number): PlainUser | undefined {
    const access = this.#access.get(authorization?.replace(/^Bearer /, '') ?? '')
    return access && access.expiresAt > now ? access.user : undefined
  }

  /** Ends all access tokens, as if they had expired. */
  expireAll(): void {
    this.#access.clear()
  }

  /** Revokes all tokens: refreshes are refused. */
  revokeAll(): void {
    this.#access.clear()
    this.#refresh.clear()
  }

  /** `POST /oauth/token`. */
  issue(body: Record<string, unknown>, users: readonly PlainUser[], now: number): TokenAnswer {
    if (body.grant_type === 'password') {
      const user = users.find(
        ({ email, password }) => email === body.username && password === body.password,
      )
      if (user) return this.#answer(user, now)
      return oauthError(400, 'invalid_grant', 'The user credentials were incorrect.')
    }
    if (body.grant_type !== 'refresh_token')
      return oauthError(
        400,
        'unsupported_grant_type',
        'The authorization grant type is not supported by the authorization server.',
      )
    const token = String(body.refresh_token)
    const user = this.#refresh.get(token)
    if (!user) return this.#refused()
    this.#refresh.delete(token)
    return this.#answer(user, now)
  }

  #refused(): TokenAnswer {
    const { refusedRefresh } = this.#options
    if (refusedRefresh === 'message') return { status: 401, body: { message: 'Unauthenticated.' } }
    if (refusedRefresh === 'invalid_client')
      return oauthError(401, 'invalid_client', 'Client authentication failed')
    return oauthError(401, 'invalid_request', 'The refresh token is invalid.')
  }

  #answer(user: PlainUser, now: number): TokenAnswer {
    const { accessTokenSeconds } = this.#options
    const [access_token, refresh_token] = [this.#newToken(), this.#newToken()]
    this.#access.set(access_token, { user, expiresAt: now + accessTokenSeconds * 1_000 })
    this.#refresh.set(refresh_token, user)
    return {
      status: 200,
      body: { token_type: 'Bearer', expires_in: accessTokenSeconds, access_token, refresh_token },
    }
  }
}
