import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'

/** Texts of the question who takes over the work of a member who leaves. */
export const handOverMessages = {
  nameStays: (isMe: boolean) =>
    isMe ? 'Your updates stay, with your name.' : 'Their updates stay, with their name.',
  nameGoes: (isMe: boolean) =>
    isMe
      ? 'Your updates stay, without your name: they read “A former member”.'
      : 'Their updates stay, without their name: they read “A former member”.',
  has: (isMe: boolean, work: string) =>
    isMe ? `You are responsible for ${work}.` : `They are responsible for ${work}.`,
  hasNothing: (isMe: boolean) =>
    isMe
      ? 'You are not responsible for any open work.'
      : 'They are not responsible for any open work.',
  notKnown: (isMe: boolean, kinds: string) =>
    isMe
      ? `It is not known on this device which ${kinds} you are responsible for.`
      : `It is not known on this device which ${kinds} they are responsible for.`,
  heir: 'Who takes over?',
  owner: (name: string) => sentence`${name} (owner of the organisation)`,
  serverDecides:
    'On this server you cannot choose who takes over. To choose, change the owners first.',
  kinds: {
    success_plans: 'plan',
    accounts: 'account',
    initiatives: 'open initiative',
    actions: 'open action',
  },
  unread: {
    success_plans: 'plans',
    accounts: 'accounts',
    initiatives: 'initiatives',
    actions: 'actions',
  },
} as const satisfies Messages
