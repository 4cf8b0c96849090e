import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'
import { dayOf, shortDay } from '../../ui/text/dates.ts'
import { formatCount } from '../../ui/text/format.ts'

/** Texts of the members screen. */
export const memberMessages = {
  title: 'Members',
  lead: (members: number, name: string) =>
    sentence`${formatCount(members, 'person', 'people')} in ${name}`,
  adminsOnly: 'Only the owner and admins can invite people and change roles.',
  listLabel: 'Members',
  you: 'you',
  roles: { owner: 'Owner', admin: 'Admin', member: 'Member' },
  roleHints: {
    admin: 'Admin: manages members and settings',
    member: 'Member: works with plans and accounts',
  },
  roleOf: (name: string, role: string) => sentence`Role of ${name}: ${role}`,
  roleSet: (name: string, role: 'admin' | 'member') =>
    role === 'admin' ? sentence`${name} is now an admin` : sentence`${name} is now a member`,
  roleNotKept: (name: string) =>
    sentence`The server answered, but did not keep the role of ${name}`,
  offline: 'You are offline: this needs a network.',
  loading: 'Loading the members',
  failedTitle: 'The members could not be loaded',
  failed: 'No one was added or removed. Plans and accounts work as before. Try again in a moment.',
  notHereTitle: 'The members are not on this device yet',
  notHere: 'Connect once. After that they are available offline.',
  retry: 'Try again',

  remove: 'Remove from the organisation',
  removeTitle: (name: string) => sentence`Remove ${name}?`,
  removeText: (name: string) => sentence`${name} can no longer open this organisation.`,
  removeConfirm: 'Remove',
  removed: (name: string) => sentence`${name} was removed`,

  stepDownTitle: 'Give up your admin role?',
  stepDownText:
    'You can no longer invite people or change settings. Another admin can make you an admin again.',
  stepDown: 'Become a member',

  leave: 'Leave this organisation',
  leaveText: 'Your plans and updates stay here for the others.',
  leaveAction: 'Leave…',
  leaveTitle: (name: string) => sentence`Leave ${name}?`,
  leaveLead:
    'You can no longer open it unless someone invites you again. Its data is removed from this device.',
  leaveUnsent: (many: number) =>
    `${formatCount(many, 'change')} ${many === 1 ? 'is' : 'are'} waiting to be sent to it. ${many === 1 ? 'It cannot' : 'They cannot'} be sent once you have left.`,
  leaveConfirm: 'Leave',
  left: (name: string) => sentence`You have left ${name}`,
  ownerStays: 'You own this organisation, so you cannot leave it. You can delete it under General.',
} as const satisfies Messages

/** Texts about invitations. */
export const inviteMessages = {
  title: 'Invite someone',
  fields: { email: 'Email', role: 'Role' },
  send: 'Send invitation',
  sent: (email: string) => `An invitation is on its way to ${email}`,
  full: (limit: number) =>
    `The Free plan includes ${formatCount(limit, 'member')}, invited ones included. Professional has no limit.`,
  seePlans: 'See pricing',
  offline: 'You are offline: this needs a network. What you type is kept.',

  open: 'Invited',
  listLabel: 'Open invitations',
  failed: 'The invitations could not be loaded.',
  until: (at: string) => `Valid until ${shortDay(dayOf(at))}`,
  expired: 'Expired',
  as: { admin: 'As admin', member: 'As member' } as Readonly<Record<string, string>>,
  resend: 'Send again',
  resendTo: (email: string) => `Send again to ${email}`,
  revoke: 'Revoke',
  revokeOf: (email: string) => `Revoke the invitation for ${email}`,
  revoked: (email: string) => `The invitation for ${email} was revoked`,
  resendFailed: (email: string, why: string) =>
    `The old link for ${email} no longer works, and a new one could not be sent: ${why}`,
} as const satisfies Messages
