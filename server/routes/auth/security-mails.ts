// Mails about the security of an account. They go to proven addresses only, except the link that proves one.
import { mailLink } from '../../../contract/links.ts'
import { CONFIRM_HOURS, RESTORE_HOURS, type ProvenEmail } from '../../auth/email-change.ts'
import { describeUserAgent } from '../../auth/user-agent.ts'
import type { DroppedAccess } from '../../auth/verified-email.ts'
import { requireBudget } from '../../auth/budgets.ts'
import type { Tx } from '../../database/connection.ts'
import { HttpError } from '../../errors/http-error.ts'
import type { Services } from '../../http/services.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Links that prove an address. `sender`: of one account in a day, to all addresses. */
const MAX_LINKS = { recipientPerHour: 5, senderPerDay: 20 }

/** What the mails are sent with. */
interface Post {
  services: Services
  tx: Tx
  now: Date
  request_id: string
}

async function send(
  { services, tx, now, request_id }: Post,
  mail: { to: string; subject: string; text: string },
  expiresAt = new Date(now.getTime() + DAY_MS).toISOString(),
) {
  await services.mail.enqueue(tx, mail, { expiresAt, request_id })
}

/**
 * The link that proves an address. It names no one and nothing that a user has written, because the address may
 * belong to someone else. Throws a 429 HttpError above five to the address in an hour, and twenty by the user in a
 * day.
 */
export async function mailEmailLink(
  post: Post,
  user_id: string,
  { email, token, expires_at }: { email: string; token: string; expires_at: string },
): Promise<void> {
  const { recipientPerHour, senderPerDay } = MAX_LINKS
  const limits = [
    {
      subject: `email link ${email}`,
      max: recipientPerHour,
      windowMs: HOUR_MS,
      to: 'to this address',
    },
    { subject: `email link by ${user_id}`, max: senderPerDay, windowMs: DAY_MS, to: 'for you' },
  ]
  for (const { to, ...budget } of limits) {
    const message = `Too many emails were sent ${to}. Please wait.`
    await requireBudget(post.tx, budget, post.now, message)
  }
  const link = mailLink(post.services.publicUrl(), 'email', token)
  const text = `A Cairn account was given this email address. Confirm within ${CONFIRM_HOURS} hours that it is yours:\n${link}\n\nIf you did not do this, ignore it: nothing happens.`
  await send(post, { to: email, subject: 'Confirm your email address', text }, expires_at)
}

/**
 * As `mailEmailLink`, for a new account: others may have had too many sent to the address, which must not keep it from
 * registering. Then nothing is sent; the profile sends the link later on.
 */
export async function mailFirstEmailLink(...about: Parameters<typeof mailEmailLink>) {
  try {
    await mailEmailLink(...about)
  } catch (error) {
    if (!(error instanceof HttpError && error.status === 429)) throw error
  }
}

/** Tells the present, proven address that another one was asked for. */
export async function mailChangeRequested(
  post: Post,
  user: { email: string },
  email: string,
): Promise<void> {
  const text = `Someone who is signed in to your Cairn account has asked to change its email address to ${email}. It changes when the link that was sent there is followed.\n\nIf this was not you, choose "Forgotten your password?" and set a new one. That ends every sign-in and stops the change:\n${post.services.publicUrl()}/auth`
  await send(post, { to: user.email, subject: 'Your email address is about to change', text })
}

/** Tells the former address that it was replaced, and how to restore it; and the new one what ended. */
export async function mailEmailProven(post: Post, proven: ProvenEmail): Promise<void> {
  const { email, dropped, former } = proven
  if (former) {
    const link = mailLink(post.services.publicUrl(), 'password', former.token)
    const text = `The email address of your Cairn account is now ${email}.\n\nIf this was not you, take your account back within ${RESTORE_HOURS} hours. This link restores your address, ends every sign-in and sets a new password:\n${link}`
    const mail = { to: former.email, subject: 'Your email address was changed', text }
    await send(post, mail, former.expires_at)
  }
  await mailDroppedAccess(post, email, dropped)
}

/** Tells the owner of a newly proven address which other ways into the account have ended, if any. */
export async function mailDroppedAccess(
  post: Post,
  email: string,
  dropped: DroppedAccess | undefined,
): Promise<void> {
  const ended = dropped ? listDropped(post, dropped) : []
  if (ended.length === 0) return
  const text = `You have confirmed that this is the email address of your Cairn account. Nobody had done so before, so everything else that opened the account has ended:\n${ended.join('\n')}\n\nSign in again where you need it.`
  await send(post, { to: email, subject: 'Your email address is confirmed', text })
}

/** Tells the user that a mailed link set a new password, and what has ended with the old one. */
export async function mailPasswordReset(
  post: Post,
  email: string,
  dropped: DroppedAccess,
): Promise<void> {
  const ended = listDropped(post, dropped)
  const rest =
    ended.length === 0
      ? ''
      : `\n\nEverything else that opened the account has ended:\n${ended.join('\n')}\n\nSign in with the new password, and add again what you want to use.`
  const text = `A new password was set for your Cairn account, with the link that was sent to this address.${rest}\n\nIf this was not you, somebody reads your mail: change its password first, then choose "Forgotten your password?":\n${post.services.publicUrl()}/auth`
  await send(post, { to: email, subject: 'Your password was changed', text })
}

/** One line for each kind of access that has ended. */
function listDropped(
  post: Post,
  { providers, passkeys, sessions, notifications }: DroppedAccess,
): string[] {
  return [
    sessions > 0 && `- ${sessions} other ${sessions === 1 ? 'sign-in' : 'sign-ins'}`,
    ...providers.map((provider) => `- signing in with ${providerName(post, provider)}`),
    passkeys > 0 && `- ${passkeys} ${passkeys === 1 ? 'passkey' : 'passkeys'}`,
    notifications > 0 &&
      `- notifications on ${notifications} ${notifications === 1 ? 'device' : 'devices'}`,
  ].filter((line) => line !== false)
}

/** Tells the user that the password was changed. */
export async function mailPasswordChanged(post: Post, user: { email: string }): Promise<void> {
  const text = `The password of your Cairn account was changed.\n\nIf this was not you, choose "Forgotten your password?" and set a new one. That ends every sign-in:\n${post.services.publicUrl()}/auth`
  await send(post, { to: user.email, subject: 'Your password was changed', text })
}

/** The name of a provider in a text. */
export const providerName = ({ services: { config } }: Post, provider: string) =>
  provider === 'google' ? 'Google' : (config.oidcName ?? provider)

/** Tells the user that a provider, or a passkey, no longer opens the account. */
export async function mailSignInRemoved(
  post: Post,
  user: { email: string },
  name: string,
): Promise<void> {
  const text = `${name} no longer signs you in to your Cairn account.\n\nIf this was not you, choose "Forgotten your password?" and set a new one. That ends every sign-in:\n${post.services.publicUrl()}/auth`
  await send(post, { to: user.email, subject: 'A way into your account was removed', text })
}

/** Tells the user that a passkey opens the account from now on. */
export async function mailPasskeyAdded(
  post: Post,
  user: { email: string },
  name: string,
): Promise<void> {
  const url = post.services.publicUrl()
  const text = `A passkey was added to your Cairn account, in ${name}. It signs in without the password.\n\nIf this was not you, remove it in your profile, under Security, and change your password:\n${url}/settings/profile`
  await send(post, { to: user.email, subject: 'A passkey was added to your account', text })
}

/** Tells the user, where the address is proven, that a lost device has deleted its data. */
export async function mailDeviceCleared(
  post: Post,
  { user_id, user_agent }: { user_id: string; user_agent: string | null },
  unsent: number,
): Promise<void> {
  const user = await post.tx
    .selectFrom('users')
    .innerJoin('verified_addresses', (join) =>
      join
        .onRef('verified_addresses.user_id', '=', 'users.id')
        .onRef('verified_addresses.email', '=', 'users.email'),
    )
    .select('users.email')
    .where('users.id', '=', user_id)
    .executeTakeFirst()
  if (!user) return
  const { browser, device } = describeUserAgent(user_agent)
  const name = [browser, device].filter(Boolean).join(' on ') || 'A device'
  const waiting =
    unsent === 0
      ? 'Nothing unsent was on it.'
      : `${unsent} unsent ${unsent === 1 ? 'change waits' : 'changes wait'} on it. Nobody else can send them; if you get the device back, sign in there.`
  const text = `${name}, which you reported as lost, was online. It has signed you out, and deleted its downloaded data and its drafts.\n\n${waiting}`
  await send(post, { to: user.email, subject: 'Your lost device was cleared', text })
}

/** Tells the user that the account was deleted. */
export async function mailAccountDeleted(post: Post, user: { email: string }): Promise<void> {
  const text =
    'Your Cairn account was deleted. What you wrote stays with its organisations, without your name.\n\nIf this was not you, tell an administrator of your organisation, and register again with this address.'
  await send(post, { to: user.email, subject: 'Your account was deleted', text })
}
