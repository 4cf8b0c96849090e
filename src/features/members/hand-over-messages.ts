import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'

/** Texts of the question who takes over the work of a member who leaves. */
export const handOverMessages = {
  nameStays: (isMe: boolean) =>
    isMe ? 'Your updates stay, with your name.' : 'Their updates stay, with their name.',
  has: (isMe: boolean, work: string) =>
    isMe ? `You are responsible for ${work}.` : `They are responsible for ${work}.`,
  hasNothing: (isMe: boolean) =>
    isMe
      ? 'You are not responsible for any open work.'
      : 'They are not responsible for any open work.',
  heir: 'Who takes over?',
  owner: (name: string) => sentence`${name} (owner of the organisation)`,
  serverDecides:
    'On this server you cannot choose who takes over. To choose, change the owners first.',
  kinds: {
    plans: 'plan',
    accounts: 'account',
    initiatives: 'initiative',
    actions: 'open action',
  },
} as const satisfies Messages
