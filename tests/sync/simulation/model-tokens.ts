// The token endpoint as the contract describes it: refresh tokens rotate idempotently, a successor
// is confirmed by its first use, and reuse after the grace revokes the family.

export interface TokenAnswer {
  status: number
  body: Record<string, unknown>
}

interface Family {
  user_id: string
  revoked: boolean
  /** Oldest first. `confirmed_at`: when a token of this generation was first used. */
  chain: { token: string; confirmed_at: number | undefined }[]
}

const GRACE = 10_000
const rejected = (error: string): TokenAnswer => ({ status: 400, body: { error, message: error } })

export class ModelTokens {
  readonly #refresh = new Map<string, Family>()
  readonly #access = new Map<string, { family: Family; refresh: string; expires_at: number }>()
  readonly #life: number
  #issued = 0

  /** `life` of an access token in milliseconds. */
  constructor(life: number) {
    this.#life = life
  }

  issue(body: Record<string, unknown>, now: number): TokenAnswer {
    if (body.grant_type === 'password') {
      if (body.password !== `secret of ${String(body.username)}`) return rejected('invalid_grant')
      return this.#answer(
        { user_id: String(body.username), revoked: false, chain: [] },
        this.#name('refresh', String(body.username)),
        now,
      )
    }
    if (body.grant_type !== 'refresh_token') return rejected('unsupported_grant_type')
    const token = String(body.refresh_token)
    const family = this.#refresh.get(token)
    if (!family || family.revoked) return rejected('invalid_grant')
    const place = family.chain.findIndex((one) => one.token === token)
    const confirmed = family.chain.findLastIndex((one) => one.confirmed_at !== undefined)
    const sinceConfirmed = now - (family.chain[confirmed]?.confirmed_at ?? now)
    if (confirmed - place > 1 || (confirmed - place === 1 && sinceConfirmed > GRACE)) {
      family.revoked = true
      return rejected('invalid_grant')
    }
    this.#confirm(family, token, now)
    const successor = family.chain[place + 1]?.token ?? this.#name('refresh', family.user_id)
    return this.#answer(family, successor, now)
  }

  /** The user of an access token; undefined when it has expired or was revoked. */
  userOf(authorization: string | undefined, now: number): string | undefined {
    const access = this.#access.get(authorization?.replace(/^Bearer /, '') ?? '')
    if (!access || access.family.revoked || access.expires_at <= now) return undefined
    this.#confirm(access.family, access.refresh, now)
    return access.family.user_id
  }

  /** Ends every access token, as a restart with other keys does. */
  expireAll(): void {
    this.#access.clear()
  }

  revokeFamiliesOf(user_id: string): void {
    for (const family of this.#refresh.values())
      if (family.user_id === user_id) family.revoked = true
  }

  /** Ends the family of a refresh token, at a sign-out. */
  revoke(refresh_token: unknown): void {
    const family = this.#refresh.get(String(refresh_token))
    if (family) family.revoked = true
  }

  /** Whether the server still accepts that refresh token. */
  isValid(refresh_token: string): boolean {
    const family = this.#refresh.get(refresh_token)
    return family !== undefined && !family.revoked
  }

  #confirm(family: Family, token: string, now: number): void {
    const one = family.chain.find((other) => other.token === token)
    if (one) one.confirmed_at ??= now
  }

  #answer(family: Family, refresh_token: string, now: number): TokenAnswer {
    if (!family.chain.some(({ token }) => token === refresh_token))
      family.chain.push({ token: refresh_token, confirmed_at: undefined })
    this.#refresh.set(refresh_token, family)
    const access_token = this.#name('access', family.user_id)
    const expires_at = now + this.#life
    this.#access.set(access_token, { family, refresh: refresh_token, expires_at })
    const body = { token_type: 'Bearer', expires_in: this.#life / 1_000 }
    return { status: 200, body: { ...body, access_token, refresh_token } }
  }

  #name(kind: string, user_id: string): string {
    this.#issued += 1
    return `${kind}-${user_id}-${this.#issued}`
  }
}
