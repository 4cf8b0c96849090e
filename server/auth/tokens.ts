// Access and refresh tokens. Refresh tokens rotate idempotently: an app that lost the
// response can repeat the request and gets the same refresh token.
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { RawBuilder, Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Tokens } from '../../contract/schemas/people.ts'
import type { Tx } from '../database/connection.ts'
import type { Database } from '../database/database.ts'
import { createLookUp, type LookUp } from '../database/wire/look-up.ts'
import type { Tables } from '../database/tables.ts'
import { sha256 } from '../hash.ts'
import { afterSessionsEnded } from './end-sessions.ts'
import { lockUser } from './ways-in.ts'

/** How long tokens and sessions are valid. */
export interface TokenLifetimes {
  accessTokenSeconds: number
  /** How long a refresh token is still accepted after its successor was first used. */
  graceSeconds: number
  idleDays: number
  totalDays: number
}

/** The defaults. */
export const TOKEN_LIFETIMES: TokenLifetimes = {
  accessTokenSeconds: 15 * 60,
  graceSeconds: 10,
  idleDays: 60,
  totalDays: 180,
}

const DAY_MS = 86_400_000
/** 256 random bits, base64url. Only its hash is stored. */
export const newToken = () => randomBytes(32).toString('base64url')

/** Issues and checks the tokens of sessions. */
export interface TokenService {
  /** Starts a session: a new family of tokens for the user, on this browser and network where known. */
  createFamily(tx: Tx, user_id: string, origin?: SignInOrigin): Promise<Tokens>
  /**
   * The next tokens; undefined when the refresh token is unknown, expired, revoked or reused. Reuse
   * ends the session. `lost`: its user reported the device as lost.
   */
  refresh(refresh_token: string): Promise<Tokens | 'lost' | undefined>
  /** The user behind an access token; undefined when it is unknown, expired or revoked. */
  authenticate(access_token: string): Promise<SignedIn | undefined>
  /**
   * The same for a token that was valid before, as the role of `auth`. Undefined where the caller must not look it up
   * in a transaction of its own.
   */
  sessionOf: ((access_token: string) => LookUp<SignedIn | undefined>) | undefined
  /**
   * The user of an access token, locked: no session of the user ends, and no way in, before the transaction does.
   * Undefined when the session has ended.
   */
  lockSession(tx: Tx, access_token: string, user_id: string): Promise<SignedIn | undefined>
  /** The session that a revocation secret ends; undefined for an unknown secret. */
  findRevocable(revocation_secret: string): string | undefined
  /** Which of these sessions are still active, whether or not an access token of theirs is. */
  findActive(tx: Tx, family_ids: readonly string[]): Promise<Set<string>>
  /** Sessions that began, or were last used, at these times or before have expired. ISO 8601. */
  expiredBefore(): { created_at: string; last_used_at: string }
}

/** Where a session began, for the list of sign-ins. */
export interface SignInOrigin {
  user_agent: string | null
  /** The network address without its last part. */
  network: string | null
}

/** The row of a signed-in user, and the session. */
export interface SignedIn extends Selectable<Tables['users']> {
  family_id: string
  /** When the user last proved to be the user, ISO 8601. */
  authenticated_at: string
  email_verified: boolean
}

const selectSession = (tx: Tx, hash: Buffer | RawBuilder<Uint8Array>) =>
  tx
    .selectFrom('access_tokens')
    .innerJoin('token_families', 'token_families.id', 'access_tokens.family_id')
    .innerJoin('users', 'users.id', 'token_families.user_id')
    .leftJoin('verified_addresses', (join) =>
      join
        .onRef('verified_addresses.user_id', '=', 'users.id')
        .onRef('verified_addresses.email', '=', 'users.email'),
    )
    .selectAll('users')
    .select([
      'verified_addresses.email as verified_email',
      'access_tokens.generation',
      'access_tokens.expires_at',
      'token_families.id as family_id',
      'token_families.generation as confirmed',
      'token_families.revoked_at',
      'token_families.last_used_at',
      'token_families.created_at as family_created_at',
      'token_families.authenticated_at as authenticated_at',
    ])
    .where('access_tokens.hash', '=', hash)

type SessionRow = Awaited<ReturnType<ReturnType<typeof selectSession>['executeTakeFirstOrThrow']>>

/** `key`: the 32 bytes from which successors of refresh tokens and revocation secrets are derived. */
export function createTokenService(
  database: Database,
  options: { key: Buffer; now: () => Date; lifetimes: TokenLifetimes },
): TokenService {
  const { key, now, lifetimes } = options
  const revocationKey = Buffer.from(hkdfSync('sha256', key, '', 'revocation secrets', 32))
  const revocationOf = (family_id: string) =>
    createHmac('sha256', revocationKey).update(family_id).digest()
  const successorOf = (token: string) => createHmac('sha256', key).update(token).digest('base64url')

  async function issue(
    tx: Tx,
    family_id: string,
    refresh_token: string,
    generation: number,
  ): Promise<Tokens> {
    const access_token = newToken()
    const seconds = lifetimes.accessTokenSeconds
    await tx
      .insertInto('refresh_tokens')
      .values({ hash: sha256(refresh_token), family_id, generation })
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .execute()
    await tx
      .insertInto('access_tokens')
      .values({
        hash: sha256(access_token),
        family_id,
        generation,
        expires_at: new Date(now().getTime() + seconds * 1000).toISOString(),
      })
      .execute()
    const revocation_secret = `${family_id}.${revocationOf(family_id).toString('base64url')}`
    const issued = { access_token, refresh_token, revocation_secret }
    return { token_type: 'Bearer', expires_in: seconds, ...issued }
  }

  const confirm = (tx: Tx, family_id: string, generation: number) =>
    tx
      .updateTable('token_families')
      .set({ generation, confirmed_at: now().toISOString() })
      .where('id', '=', family_id)
      .where('generation', '<', generation)
      .execute()

  const isExpired = (family: {
    revoked_at: string | null
    last_used_at: string
    created_at: string
  }) =>
    family.revoked_at !== null ||
    now().getTime() - Date.parse(family.last_used_at) > lifetimes.idleDays * DAY_MS ||
    now().getTime() - Date.parse(family.created_at) > lifetimes.totalDays * DAY_MS

  /** `isFirstUse`: of a token of this generation. */
  function signedIn(
    found: SessionRow | undefined,
  ): { user: SignedIn; generation: number; isFirstUse: boolean } | undefined {
    if (!found) return undefined
    const { generation, confirmed, family_id, expires_at, verified_email, ...rest } = found
    const { revoked_at, last_used_at, family_created_at, ...known } = rest
    if (Date.parse(expires_at) <= now().getTime()) return undefined
    if (isExpired({ revoked_at, last_used_at, created_at: family_created_at })) return undefined
    const user = {
      ...known,
      family_id,
      email_verified: verified_email !== null,
      // The previous version of the server did not store it.
      authenticated_at: known.authenticated_at ?? family_created_at,
    }
    return { user, generation, isFirstUse: generation > confirmed }
  }

  const findSession = createLookUp(['bytea'], selectSession, (row) => signedIn(row)?.user)

  return {
    async createFamily(tx, user_id, origin = { user_agent: null, network: null }) {
      const id = uuidv7()
      const at = now().toISOString()
      const times = { confirmed_at: at, last_used_at: at, created_at: at, authenticated_at: at }
      await tx
        .insertInto('token_families')
        .values({ id, user_id, ...times, ...origin })
        .execute()
      return issue(tx, id, newToken(), 0)
    },

    refresh: (refresh_token) =>
      database.authInTurn(
        { lock: `refresh ${refresh_token}`, caller: '' },
        async (tx) => {
          const presented = await tx
            .selectFrom('refresh_tokens')
            .selectAll()
            .where('hash', '=', sha256(refresh_token))
            .executeTakeFirst()
          if (!presented) return undefined
          const family = await tx
            .selectFrom('token_families')
            .selectAll()
            .where('id', '=', presented.family_id)
            .forUpdate()
            .executeTakeFirst()
          // Its user has been deleted meanwhile.
          if (!family) return undefined
          if (family.lost_at !== null) return 'lost'
          if (isExpired(family)) return undefined
          const generationsBehind = family.generation - presented.generation
          const sinceConfirmed = now().getTime() - Date.parse(family.confirmed_at)
          const isReuse =
            generationsBehind > 1 ||
            (generationsBehind === 1 && sinceConfirmed > lifetimes.graceSeconds * 1000)
          if (isReuse) {
            await tx
              .updateTable('token_families')
              .set({ revoked_at: now().toISOString() })
              .where('id', '=', family.id)
              .execute()
            await afterSessionsEnded(tx, family.user_id)
            return undefined
          }
          await confirm(tx, family.id, presented.generation)
          await tx
            .updateTable('token_families')
            .set({ last_used_at: now().toISOString() })
            .where('id', '=', family.id)
            .execute()
          return issue(tx, family.id, successorOf(refresh_token), presented.generation + 1)
        },
        'sessions',
      ),

    authenticate: (access_token) =>
      database.auth(async (tx) => {
        const found = signedIn(await selectSession(tx, sha256(access_token)).executeTakeFirst())
        if (found?.isFirstUse) await confirm(tx, found.user.family_id, found.generation)
        return found?.user
      }, 'sessions'),

    // The first use of the token has confirmed its generation.
    sessionOf: (access_token) => findSession(sha256(access_token)),

    async lockSession(tx, access_token, user_id) {
      await lockUser(tx, user_id)
      // Another statement: one that has waited for a lock may read the other tables as they were before it.
      return signedIn(await selectSession(tx, sha256(access_token)).executeTakeFirst())?.user
    },

    findRevocable(revocation_secret) {
      const [family_id = '', signature = ''] = revocation_secret.split('.')
      const given = Buffer.from(signature, 'base64url')
      const expected = revocationOf(family_id)
      const isKnown = given.length === expected.length && timingSafeEqual(given, expected)
      return isKnown ? family_id : undefined
    },

    async findActive(tx, family_ids) {
      if (family_ids.length === 0) return new Set()
      const families = await tx
        .selectFrom('token_families')
        .select(['id', 'revoked_at', 'last_used_at', 'created_at'])
        .where('id', 'in', [...new Set(family_ids)])
        .execute()
      return new Set(families.filter((family) => !isExpired(family)).map(({ id }) => id))
    },

    expiredBefore() {
      const ago = (days: number) => new Date(now().getTime() - days * DAY_MS).toISOString()
      return { created_at: ago(lifetimes.totalDays), last_used_at: ago(lifetimes.idleDays) }
    },
  }
}
