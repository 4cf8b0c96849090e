// A user's passkeys, and the start of a sign-in with one. The token endpoint does the rest.
import { v7 as uuidv7 } from 'uuid'
import { endpoints } from '../../../contract/endpoints.ts'
import type { Tx } from '../../database/connection.ts'
import { requireFreshSignIn } from '../../auth/reauthentication.ts'
import { describeUserAgent } from '../../auth/user-agent.ts'
import { requireSecondWayIn } from '../../auth/ways-in.ts'
import { forbidden, invalid, notFound } from '../../errors/http-error.ts'
import { findPage } from '../../http/list-query.ts'
import { publicRoute, userRoute } from '../../http/route.ts'
import { mailPasskeyAdded, mailSignInRemoved } from './security-mails.ts'

/** More is a mistake. */
const MAX_PASSKEYS = 20

/** `POST /api/v1/passkey-sign-in`: a challenge for any passkey. */
export const startPasskeySignIn = publicRoute(
  endpoints.startPasskeySignIn,
  async ({ services: { passkeys } }) => ({
    challenge: passkeys.challenge('sign-in'),
    rp_id: passkeys.rpId(),
  }),
)

/** `GET /api/v1/passkeys`: a page of the user's passkeys, the latest first. */
export const listPasskeys = userRoute(endpoints.listPasskeys, async ({ tx, user, query }) =>
  findPage(
    tx
      .selectFrom('passkeys')
      .select(['id', 'name', 'created_at', 'last_used_at'])
      .where('user_id', '=', user.id),
    { query, sort: query.sort ?? '-created_at', present: (row) => row },
  ),
)

/**
 * `POST /api/v1/passkey-offer`: what a browser needs to make a passkey. 403 with code `reauthentication_required`
 * without a fresh sign-in.
 */
export const offerPasskey = userRoute(endpoints.offerPasskey, async ({ services, tx, user }) => {
  requireFreshSignIn(user, services.now())
  const { passkeys } = services
  const known = await tx
    .selectFrom('passkeys')
    .select('credential_id')
    .where('user_id', '=', user.id)
    .execute()
  return {
    challenge: passkeys.challenge(`register ${user.id}`),
    rp_id: passkeys.rpId(),
    user_handle: Buffer.from(user.id).toString('base64url'),
    exclude: known.map(({ credential_id }) => credential_id),
  }
})

/**
 * `POST /api/v1/passkeys`: 201, and a mail to a proven address. 422 for a response that is not valid, 403 above 20,
 * and with code `reauthentication_required` without a fresh sign-in.
 */
export const createPasskey = userRoute(
  endpoints.createPasskey,
  async ({ services, tx, user, body, request_id, afterCommit }) => {
    const now = services.now()
    requireFreshSignIn(user, now)
    const made = await services.passkeys.register(user.id, body)
    if (!made) throw invalid({ response: ['This passkey is not valid. Please try again.'] })
    const known = await tx
      .selectFrom('passkeys')
      .select('id')
      .where('user_id', '=', user.id)
      .execute()
    if (known.length >= MAX_PASSKEYS) throw forbidden('You have 20 passkeys. Remove one first.')
    const passkey = {
      id: uuidv7(),
      name: await deviceOf(tx, user.family_id),
      created_at: now.toISOString(),
      last_used_at: null,
    }
    const stored = await tx
      .insertInto('passkeys')
      .values({ ...passkey, ...made, user_id: user.id })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!stored) throw invalid({ response: ['This passkey was added before.'] })
    if (user.email_verified) {
      await mailPasskeyAdded({ services, tx, now, request_id }, user, passkey.name)
      afterCommit(async () => void services.mail.deliver())
    }
    return { data: passkey }
  },
)

/** The browser and device of a session, as the name of what is made there. */
async function deviceOf(tx: Tx, family_id: string): Promise<string> {
  const { user_agent } = await tx
    .selectFrom('token_families')
    .select('user_agent')
    .where('id', '=', family_id)
    .executeTakeFirstOrThrow()
  const { browser, device } = describeUserAgent(user_agent)
  return [browser, device].filter((one) => one !== null).join(' on ') || 'Passkey'
}

/**
 * `DELETE /api/v1/passkeys/{id}`: 204, and a mail to the user. 403 for the last way into the account, and with code
 * `reauthentication_required` without a fresh sign-in; 404.
 */
export const deletePasskey = userRoute(
  endpoints.deletePasskey,
  async ({ services, tx, user, path, request_id, afterCommit }) => {
    const now = services.now()
    requireFreshSignIn(user, now)
    const found = await tx
      .selectFrom('passkeys')
      .select('name')
      .where('id', '=', path.id)
      .where('user_id', '=', user.id)
      .executeTakeFirst()
    if (!found) throw notFound()
    await requireSecondWayIn(tx, user)
    await tx.deleteFrom('passkeys').where('id', '=', path.id).execute()
    if (!user.email_verified) return
    await mailSignInRemoved({ services, tx, now, request_id }, user, `The passkey of ${found.name}`)
    afterCommit(async () => void services.mail.deliver())
  },
)
