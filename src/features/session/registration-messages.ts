/** Everything that registering, an invitation and a new password say. */
export const registrationMessages = {
  title: 'Create your account',
  lead: 'One account for all organisations that you work in.',
  invitedTitle: (organisation: string) => `Join ${organisation}`,
  invitedLead: (email: string) => `You were invited as ${email}. Create your account to come in.`,
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
  haveOne: 'Already have an account?',
  signIn: 'Sign in',
  checkedBy: 'reCAPTCHA looks here whether a person fills this in. Google’s terms apply:',
  checkedLinks: [
    { name: 'Privacy Policy', href: 'https://policies.google.com/privacy' },
    { name: 'Terms of Service', href: 'https://policies.google.com/terms' },
  ],
  made: 'Your account is made. Sign in to go on.',

  looking: 'Looking at your link',
  over: 'This invitation is not valid any more. It was used or taken back, or it is older than a week. Ask for a new one, or create an account without it.',
  unreachableTitle: 'The server did not answer',
  unreachable: 'Your link is still good. Try again in a moment.',
  retry: 'Try again',

  acceptLead: (name: string) => `You are signed in as ${name}.`,
  accept: (organisation: string) => `Join ${organisation}`,
  joined: (organisation: string) => `You are now a member of ${organisation}`,
  otherAddress: (email: string) =>
    `This invitation is for ${email}. Sign out, then open the link in the mail again.`,
  signedIn: 'You are signed in already',
  goOn: 'Choose an organisation',

  forgottenTitle: 'Forgotten your password?',
  forgottenLead: 'Enter your address. We send you a link with which to set a new one.',
  send: 'Send the link',
  sentTitle: 'Look into your mailbox',
  sent: (email: string) =>
    `If there is an account for ${email}, a link to set a new password is on its way. It works for an hour.`,
  back: 'Back to sign in',

  newTitle: 'Set a new password',
  newLead: (email: string) =>
    `For ${email}. Everybody who is signed in with the old one is signed out.`,
  newPassword: 'New password',
  set: 'Set password',
  wasSet: 'Your new password is set',
  resetOverTitle: 'This link is not valid any more',
  resetOver: 'It was used already, or is older than an hour.',
  again: 'Send a new link',
} as const
