import type { Messages } from '../../../../contract/text/catalogue.ts'
import { sentence } from '../../../../contract/text/sentence.ts'

/** Texts of the screens for registration and invitations. */
export const registrationMessages = {
  closedTitle: 'New accounts are closed',
  closed: {
    invited: 'You need an invitation to join. Ask a colleague, then follow the link in the email.',
    closed: 'No new accounts can be made here at the moment.',
  },
  toSignIn: 'Sign in',
  title: 'Create your account',
  lead: 'One account for all your organisations.',
  invitedTitle: (organisation: string) => `Join ${organisation || 'the organisation'}`,
  invitedLead: (email: string) => `You were invited as ${email}. Create your account to join.`,
  emailHint: 'The invitation is for this address.',
  submit: 'Create account',
  haveAccount: 'Already have an account?',
  signIn: 'Sign in',
  created: 'Account created. Sign in to continue.',
  invitationExpired:
    'This invitation is no longer valid. It was used or revoked, or it has expired. Ask for a new one, or create an account without it.',
  acceptLead: (name: string) => sentence`You are signed in as ${name}.`,
  accept: (organisation: string) => `Join ${organisation || 'the organisation'}`,
  joined: (organisation: string) => `You are now a member of ${organisation}`,
  otherAddress: (email: string) =>
    `This invitation is for ${email}. Sign out, then open the link in the email again.`,
  signedIn: 'You are already signed in',
  chooseOrganisation: 'Choose an organisation',
} as const satisfies Messages
