// Invitations to an organisation.
import type { Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { endpoints } from '../../contract/endpoints.ts'
import { mailLink } from '../../contract/links.ts'
import { canManage } from '../../contract/roles.ts'
import type { Tx } from '../database/connection.ts'
import { acceptInvite, findInvite } from '../domain/invites.ts'
import { findPage } from '../http/list-query.ts'
import { requireCapacity } from '../domain/plan-limits.ts'
import { forbidden, invalid, notFound } from '../errors/http-error.ts'
import { memberRoute, userRoute } from '../http/route.ts'
import { nextVersion, type OrganisationScope } from '../domain/organisation.ts'
import type { Tables } from '../database/tables.ts'
import { newToken, type SignedIn } from '../auth/tokens.ts'
import { requireBudget } from '../auth/budgets.ts'
import { nameInMail } from '../integrations/mail.ts'
import { mailDroppedAccess } from './auth/security-mails.ts'
import { sha256 } from '../hash.ts'
import { loadOrganisation } from './organisations.ts'

const DAY_MS = 86_400_000
const INVITE_DAYS = 7

/** A row as the contract's `OrganisationInvite`. The token is only in the mail. */
const presentInvite = (row: Selectable<Tables['organisation_invites']>, now: string) => {
  const { id, email, role, invited_by, expires_at, created_at } = row
  const openStatus = expires_at > now ? 'pending' : 'expired'
  const status = row.accepted_at === null ? openStatus : 'accepted'
  return { id, email, role, status, invited_by, expires_at, created_at }
}

/**
 * `GET /api/v1/organisation-invites`: a page of invitations. 403 unless the caller manages the
 * organisation.
 */
export const listOrganisationInvites = memberRoute(
  endpoints.listOrganisationInvites,
  async ({ tx, organisation, user, query, now }) => {
    if (!canManage(user, organisation)) throw forbidden()
    const invites = tx
      .selectFrom('organisation_invites')
      .selectAll()
      .where('organisation_id', '=', organisation.id)
    return findPage(invites, {
      query,
      sort: query.sort ?? '-created_at',
      present: (row) => presentInvite(row, now),
    })
  },
)

/**
 * Returns the number of open invitations. Throws a 422 HttpError for a member, and for an address with
 * an open one.
 */
async function requireNotMember(
  tx: Tx,
  organisation: OrganisationScope,
  email: string,
  now: string,
) {
  const member = await tx
    .selectFrom('organisation_users')
    .innerJoin('users', 'users.id', 'organisation_users.user_id')
    .where('organisation_users.organisation_id', '=', organisation.id)
    .where('users.email', '=', email)
    .select('organisation_users.id')
    .executeTakeFirst()
  if (member) throw invalid({ email: ['This person is already a member.'] })
  const pendingInvites = await tx
    .selectFrom('organisation_invites')
    .where('organisation_id', '=', organisation.id)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .select('email')
    .execute()
  if (pendingInvites.some((invite) => invite.email === email))
    throw invalid({ email: ['This address already has an invitation.'] })
  return pendingInvites.length
}

/**
 * Mails of invitations in a day. Those to one recipient are also counted by organisation and by sender: others must
 * not keep anyone from being invited. All who have not proven their own address share a few of them.
 */
const MAX_INVITES = {
  recipient: 10,
  recipientByUnproven: 5,
  recipientByOrganisation: 3,
  recipientBySender: 5,
  sender: 200,
  unprovenSender: 10,
  organisation: 500,
}

/**
 * Counts an invitation for its recipient, sender and organisation. Throws a 429 HttpError above a limit, at the field
 * of the address where that has had too many: also for one without an account.
 */
async function requireInviteBudget(
  tx: Tx,
  invite: { organisation: OrganisationScope; user: SignedIn; email: string },
  now: Date,
): Promise<void> {
  const { organisation, user, email } = invite
  const ofRecipient = [
    { subject: `invite to ${email}`, max: MAX_INVITES.recipient },
    {
      subject: `invite to ${email} into ${organisation.id}`,
      max: MAX_INVITES.recipientByOrganisation,
    },
    { subject: `invite to ${email} by ${user.id}`, max: MAX_INVITES.recipientBySender },
    ...(user.email_verified
      ? []
      : [{ subject: `invite to ${email} by unproven`, max: MAX_INVITES.recipientByUnproven }]),
  ]
  const ofSender = [
    {
      subject: `invite by ${user.id}`,
      max: user.email_verified ? MAX_INVITES.sender : MAX_INVITES.unprovenSender,
    },
    { subject: `invite into ${organisation.id}`, max: MAX_INVITES.organisation },
  ]
  const toAddress = 'Too many invitations were sent to this address. Please wait.'
  for (const limit of ofRecipient)
    await requireBudget(tx, { ...limit, windowMs: DAY_MS }, now, toAddress, 'email')
  const message = 'Too many invitations were sent. Please wait.'
  for (const limit of ofSender)
    await requireBudget(tx, { ...limit, windowMs: DAY_MS }, now, message)
}

/**
 * `POST /api/v1/organisation-invites`: 201, and a mail with the link. 403 unless the caller manages the
 * organisation or at the plan's limit, 422 for a member or an address with an open invitation, 429 for too many
 * mails to one address, by one user or of one organisation in a day.
 */
export const createOrganisationInvite = memberRoute(
  endpoints.createOrganisationInvite,
  async ({ tx, organisation, user, body, now, request_id, services, afterCommit }) => {
    if (!canManage(user, organisation)) throw forbidden()
    const { email, role = 'member' } = body
    await nextVersion(tx, organisation.id)
    const pendingCount = await requireNotMember(tx, organisation, email, now)
    await requireCapacity(tx, organisation, 'members', pendingCount)
    await requireInviteBudget(tx, { organisation, user, email }, services.now())
    const token = newToken()
    const expires_at = new Date(Date.parse(now) + INVITE_DAYS * DAY_MS).toISOString()
    const invite = await tx
      .insertInto('organisation_invites')
      .values({
        organisation_id: organisation.id,
        id: uuidv7(),
        email,
        role,
        token_hash: sha256(token),
        invited_by: user.id,
        expires_at,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const { name } = await tx
      .selectFrom('organisations')
      .select('name')
      .where('id', '=', organisation.id)
      .executeTakeFirstOrThrow()
    // An address that is not proven may belong to someone else.
    const inviter = nameInMail(user.name) + (user.email_verified ? ` (${user.email})` : '')
    const mail = {
      to: email,
      // The recipient may be anybody: the subject is ours, and names in the text hold no address to follow.
      subject: 'You are invited to Cairn',
      text: `${inviter} invites you to work in the organisation “${nameInMail(name)}” on Cairn.\n\nAccept within ${INVITE_DAYS} days:\n${mailLink(services.publicUrl(), 'invite', token)}\n\nIf you did not expect this, ignore it.`,
    }
    const sent_by = organisation.id
    await services.mail.enqueue(tx, mail, { expiresAt: expires_at, request_id, sent_by })
    // Not awaited: the mail server may be slow or unreachable.
    afterCommit(async () => void services.mail.deliver())
    return { data: presentInvite(invite, now) }
  },
)

/**
 * `DELETE /api/v1/organisation-invites/{id}`: 204, withdraws it. 403 unless the caller manages the
 * organisation, 404.
 */
export const deleteOrganisationInvite = memberRoute(
  endpoints.deleteOrganisationInvite,
  async ({ tx, organisation, user, path }) => {
    if (!canManage(user, organisation)) throw forbidden()
    const { numDeletedRows } = await tx
      .deleteFrom('organisation_invites')
      .where('organisation_id', '=', organisation.id)
      .where('id', '=', path.id)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw notFound()
  },
)

/**
 * `POST /api/v1/organisation-invites/accept`: makes the caller a member and returns the organisation. 403
 * for another address or at the plan's limit, 404 for a link that is no longer valid.
 */
export const acceptOrganisationInvite = userRoute(
  endpoints.acceptOrganisationInvite,
  async ({ services, tx, user, body, now, request_id, afterCommit }) => {
    const { organisation_id, dropped } = await acceptInvite(tx, body.token, user, now)
    const post = { services, tx, now: services.now(), request_id }
    await mailDroppedAccess(post, user.email, dropped)
    afterCommit(async () => void services.mail.deliver())
    const data = await loadOrganisation(tx, user.id, organisation_id)
    if (!data) throw notFound()
    return { data }
  },
  async ({ services: { database, now }, body: { token } }) =>
    (await database.auth((tx) => findInvite(tx, token, now().toISOString())))?.organisation_id,
)
