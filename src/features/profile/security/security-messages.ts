import type { Messages } from '../../../../contract/text/catalogue.ts'
import { sentence } from '../../../../contract/text/sentence.ts'
import { formatCount } from '../../../ui/text/format.ts'

/** Texts of the security settings of a user. */
export const securityMessages = {
  title: 'Security',
  offline: 'You are offline: this needs a network.',
  email: 'Email address',
  emailText: (email: string) => `You sign in as ${email}.`,
  change: 'Change',
  changeEmail: 'Change email address',
  newEmail: 'New email address',
  newEmailHint: 'We’ll send a link to it. Your address changes when you follow the link.',
  sendLink: 'Send the link',
  linkSent: (email: string) => `A link is on its way to ${email}`,
  pending: (pending: string, email: string) =>
    `Follow the link that was sent to ${pending}. Until then you sign in as ${email}.`,
  unverified: 'Confirm that this address is yours. Until then you get no summaries by email.',
  sendAgain: 'Send the link again',
  sendToPresent: 'Send me a link',
  confirmed: (email: string) => `${email} is now your email address`,
  notConfirmed:
    'This link is no longer valid, or it belongs to another account. Send a new one from here.',
  password: 'Password',
  passwordText: 'A new password signs out your other devices.',
  changePassword: 'Change password',
  currentPassword: 'Current password',
  reauthenticate: 'You signed in a while ago. Enter your password, or sign in again.',
  newPassword: 'New password',
  newPasswordHint: 'At least 8 characters.',
  repeatPassword: 'Repeat new password',
  passwordMayBeNew:
    'This is not your password. It may be the new one already, as the server did not answer: enter that here.',
  passwordChanged: 'Your password is changed. Your other devices are signed out.',
  forgotten: 'Send me a link instead',
  forgottenSent: (email: string) => `A link is on its way to ${email}`,
  /** By provider. */
  providers: { google: 'Google' } as Record<string, string>,
  linkedTitle: 'Linked sign-ins',
  linked: (provider: string) => `Sign in with ${provider}`,
  remove: 'Remove',
  removeLinked: (provider: string) => `Remove ${provider}`,
  removeLinkedText: (provider: string) =>
    `${provider} will no longer sign you in here. Your account at ${provider} does not change.`,
  linkedRemoved: (provider: string) => `${provider} no longer signs you in`,
  signIns: 'Where you are signed in',
  signInsLabel: 'Sign-ins',
  loading: 'Loading the list',
  failed: 'This list could not be loaded.',
  retry: 'Try again',
  onDevice: (browser: string, device: string) => `${browser} on ${device}`,
  unknownDevice: 'Unknown device',
  current: 'This device',
  since: (moment: string) => `since ${moment}`,
  lastUsed: (ago: string) => `Last used ${ago}`,
  end: 'Sign out',
  endOf: (name: string) => sentence`Sign out ${name}`,
  ended: (name: string) => sentence`${name} is signed out`,
  lost: 'Lost',
  lostOf: (name: string) => sentence`${name} is lost`,
  reportLost: 'Sign it out and clear it',
  lostText:
    'It is signed out now. When it is online next, it deletes its downloaded data and drafts, and you get an email that says how many unsent changes wait on it. They stay there and can only be sent by you, from that device.',
  lostLimits: 'Until then, anyone who can unlock the device can read what was downloaded.',
  lostReported: (name: string) => sentence`${name} is signed out and will be cleared`,
  lostSince: (at: string) => `Reported lost ${at}`,
  notCleared: 'Not online since, so not cleared yet',
  cleared: (at: string, unsent: number) =>
    unsent === 0
      ? `Cleared ${at}; nothing unsent was on it`
      : `Cleared ${at}; ${formatCount(unsent, 'unsent change')} ${unsent === 1 ? 'waits' : 'wait'} on it`,
  forget: 'If this device is stolen',
  forgetText:
    'It can sign you out after some days without contact with the server. Downloaded data and drafts are then removed; unsent changes stay, and wait for your next sign-in.',
  forgetAfter: 'Forget me on this device after',
  never: 'Never',
  days: (days: number) => formatCount(days, 'day'),
  forgetChosen: (days: number) => `This device forgets you after ${days} days without contact`,
  forgetNever: 'This device does not forget you',
  forgetFailed: 'This could not be stored on this device. Nothing has changed.',
  endOthers: 'Sign out all other devices',
  ownAccount: 'Your data and your account',
  ownAccountText: 'Your profile, sign-ins, memberships and the updates you posted, as a file.',
  downloadOwnData: 'Download my data',
  ownDataFile: 'cairn-my-data.json',
  deleteAccount: 'Delete my account',
  deleteAccountNow: 'Delete my account now',
  deleteAccountText:
    'You leave all your organisations, and cannot sign in any more. What you wrote stays with them, without your name. This cannot be undone.',
  deleteUnsent: (unsent: number) =>
    `${formatCount(unsent, 'change')} on this device ${unsent === 1 ? 'is' : 'are'} not sent yet and will be lost.`,
  accountDeleted: 'Your account is deleted',
  othersEnded: 'All other devices are signed out',
} as const satisfies Messages
