import type { Messages } from '../../../../contract/text/catalogue.ts'

/** Texts of the screens for a new password, and those that they share with the registration. */
export const accountMessages = {
  fields: {
    name: 'Your name',
    email: 'Email',
    password: 'Password',
    password_confirmation: 'Repeat the password',
  },
  passwordHint: 'At least 8 characters.',
  offline: 'You are offline: this needs a network.',
  checkedBy: 'This form is protected by reCAPTCHA. Google’s terms apply:',
  checkedLinks: [
    { name: 'Privacy Policy', href: 'https://policies.google.com/privacy' },
    { name: 'Terms of Service', href: 'https://policies.google.com/terms' },
  ],

  checkingLink: 'Checking your link',
  unreachableTitle: 'Your link could not be checked',
  unreachable: 'It may still be valid. Try again in a moment.',
  retry: 'Try again',

  forgottenTitle: 'Forgotten your password?',
  forgottenLead: 'Enter your email address. We’ll send you a link to set a new one.',
  send: 'Send the link',
  sentTitle: 'Check your email',
  sent: (email: string) =>
    `If there is an account for ${email}, a link to set a new password is on its way. It works for an hour.`,
  back: 'Back to sign in',

  newTitle: 'Set a new password',
  newLead: (email: string) =>
    `${email && `For ${email}. `}All devices that are signed in with the old one are signed out.`,
  newPassword: 'New password',
  set: 'Set password',
  passwordSet: 'Your new password is set',
  resetExpiredTitle: 'This link is no longer valid',
  resetExpired: 'It was already used, or it is older than an hour.',
  sendNewLink: 'Send a new link',
} as const satisfies Messages
