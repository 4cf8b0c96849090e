// Who sends a request about an organisation. One message to the database begins the transaction of the request and
// looks up the session with the membership, in place of four. For a token that this process has not seen before, the
// session is also looked up before that.
import type { Context } from 'hono'
import type { SignedIn } from '../../auth/tokens.ts'
import { isUuid } from '../../../contract/schemas/fields.ts'
import type { Tx } from '../../database/connection.ts'
import type { Access } from '../../database/database.ts'
import {
  findOrganisation,
  membershipOf,
  notAMember,
  type OrganisationScope,
} from '../../domain/organisation.ts'
import { unauthenticated } from '../../errors/http-error.ts'
import {
  authenticate,
  bearerToken,
  limitUser,
  noteVersion,
  readOrganisationId,
} from '../authenticate.ts'
import type { Services } from '../services.ts'

type Work<T> = (tx: Tx, user: SignedIn, organisation: OrganisationScope | undefined) => Promise<T>

/** The sender of a request. */
export interface Sender {
  user_id: string
  /**
   * Runs `work` in a transaction of the organisation, which is undefined for a user who is no member; a write locks
   * its row. Throws a 401 HttpError when the session has ended.
   */
  enter<T>(organisation_id: string, access: Access, work: Work<T>): Promise<T>
}

/** The sender of a request. Throws an HttpError as `authenticate`. */
export async function identify(services: Services, context: Context): Promise<Sender> {
  const { database, knownTokens, tokens, userLimit } = services
  if (!tokens.sessionOf) {
    const user = await authenticate(services, context)
    return {
      user_id: user.id,
      enter: (id, access, work) =>
        database.tenant(
          id,
          async (tx) => work(tx, user, await findOrganisation(tx, user.id, id)),
          user.id,
          access,
        ),
    }
  }
  const token = bearerToken(context.req.raw) ?? ''
  const session = tokens.sessionOf(token)
  // A request that names no organisation is refused before `enter` could find that its session has ended.
  const isNamed = isUuid(context.req.header('X-organisation') ?? '')
  const known = isNamed ? knownTokens.userOf(token) : undefined
  if (known !== undefined) limitUser(services, known)
  const user_id = known ?? (await authenticate(services, context)).id
  return {
    user_id,
    enter(id, access, work) {
      const membership = membershipOf(user_id, id)
      return database.tenant(
        id,
        async (tx, [sessions = [], memberships = []]) => {
          const user = session.read(sessions)
          if (!user) {
            knownTokens.delete(token)
            userLimit.refund(user_id)
            throw unauthenticated()
          }
          noteVersion(services, context, user)
          return work(tx, user, membership.read(memberships))
        },
        user_id,
        access,
        { auth: session, tenant: [membership] },
      )
    },
  }
}

/** The user and the organisation of a member's request. Throws an HttpError: 401, 403 for a non-member. */
export const enterAsMember = (
  sender: Sender,
  organisation_id: string,
): Promise<{ user: SignedIn; organisation: OrganisationScope }> =>
  sender.enter(organisation_id, 'read', async (_tx, user, organisation) => {
    if (!organisation) throw notAMember()
    return { user, organisation }
  })

/** As `enterAsMember`, of the organisation that the request names. Throws an HttpError: 401, 429, 400, 403. */
export async function requireMembership(
  services: Services,
  context: Context,
): Promise<{ user: SignedIn; organisation: OrganisationScope }> {
  const sender = await identify(services, context)
  return enterAsMember(sender, readOrganisationId(context.req.raw))
}
