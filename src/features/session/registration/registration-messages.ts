import type { Messages } from '../../../../contract/text/catalogue.ts'
import { sentence } from '../../../../contract/text/sentence.ts'

/** Texts of the screens for registration, invitations and password reset. */
export const registrationMessages = {
  closedTitle: 'New accounts are closed',
  closed: {
    invited: 'You need an invitation to join. Ask a colleague, then follow the link in the email.',
    closed: 'No new accounts can be made here at the moment.',
  },
  toSignIn: 'Sign in',
  title: 'Create your account',
  lead: 'One account for all your organisations.',
  invitedTitle: (organisation: string) => `Join ${organisation}`,
  invitedLead: (email: string) => `You were invited as ${email}. Create your account to join.`,
  fields: {
    name: 'Your name',
    email: 'Email',
    password: 'Password',
    password_confirmation: 'Repeat the password',
  },
  passwordHint: 'At least 8 characters.',
  emailHint: 'The invitation is for this address.',
  submit: 'Create account',
  offline: 'You are offline: this needs a network.',
  haveAccount: 'Already have an account?',
  signIn: 'Sign in',
  checkedBy: 'This form is protected by reCAPTCHA. Google’s terms apply:',
  checkedLinks: [
    { name: 'Privacy Policy', href: 'https://policies.google.com/privacy' },
    { name: 'Terms of Service', href: 'https://policies.google.com/terms' },
  ],
  created: 'Account created. Sign in to continue.',

  checkingLink: 'Checking your link',
  invitationExpired:
    'This invitation is no longer valid. It was used or revoked, or it has expired. Ask for a new one, or create an account without it.',
  unreachableTitle: 'The server did not answer',
  unreachable: 'Your link is still valid. Try again in a moment.',
  retry: 'Try again',

  acceptLead: (name: string) => sentence`You are signed in as ${name}.`,
  accept: (organisation: string) => `Join ${organisation}`,
  joined: (organisation: string) => `You are now a member of ${organisation}`,
  otherAddress: (email: string) =>
    `This invitation is for ${email}. Sign out, then open the link in the email again.`,
  signedIn: 'You are already signed in',
  chooseOrganisation: 'Choose an organisation',

  forgottenTitle: 'Forgotten your password?',
  forgottenLead: 'Enter your email address. We’ll send you a link to set a new one.',
  send: 'Send the link',
  sentTitle: 'Check your email',
  sent: (email: string) =>
    `If there is an account for ${email}, a link to set a new password is on its way. It works for an hour.`,
  back: 'Back to sign in',

  newTitle: 'Set a new password',
  newLead: (email: string) =>
    `For ${email}. All devices that are signed in with the old one are signed out.`,
  newPassword: 'New password',
  set: 'Set password',
  passwordSet: 'Your new password is set',
  resetExpiredTitle: 'This link is no longer valid',
  resetExpired: 'It was already used, or it is older than an hour.',
  sendNewLink: 'Send a new link',
} as const satisfies Messages
