/** Everything that the user's own settings say. */
export const profileMessages = {
  title: 'Profile',
  lead: 'What your colleagues see of you.',
  fields: {
    name: 'Name',
    email: 'Email',
    job_title: 'Job title',
    phone: 'Phone',
    timezone: 'Time zone',
  },
  emailHint: 'You sign in with it.',
  timezoneHint: 'Mails come in your morning.',
  save: 'Save changes',
  saved: 'Saved on this device',
  offlineHint: 'Works without a network: it is sent later.',
  changed: 'Your profile was changed here.',
  password: 'Password',
  passwordText: 'We mail you a link with which you set a new one. It works for an hour.',
  passwordSend: 'Send me the link',
  passwordSent: (email: string) => `A link is on its way to ${email}`,
  passwordOffline: 'You are offline: this needs a network.',
} as const

/** What the choice of mails says. */
export const notificationMessages = {
  title: 'Notifications',
  lead: (email: string) => `What is mailed to ${email}. It applies to all your organisations.`,
  loading: 'Loading what you have chosen',
  failedTitle: 'Your choices could not be loaded',
  retry: 'Try again',
  notHereTitle: 'Your choices are not on this device yet',
  notHere: 'Connect once to see them. After that you can change them without a network.',
  changed: 'Your choices were changed here.',
  failed: 'The device’s storage refused this. Nothing was changed.',
  groups: { plans: 'Success plans', actions: 'Actions', more: 'More' },
  kinds: {
    plan_update: {
      label: 'Updates',
      hint: 'Somebody posts an update on a plan that you own.',
    },
    plan_assigned: {
      label: 'A plan is yours',
      hint: 'Somebody makes you the owner of a plan.',
    },
    plan_stale: {
      label: 'A plan has gone quiet',
      hint: 'A plan of yours had no update for as long as its rhythm asks for.',
    },
    action_assigned: {
      label: 'An action is yours',
      hint: 'Somebody assigns an action to you.',
    },
    action_due: {
      label: 'An action is due soon',
      hint: 'One of your actions is due in the days ahead.',
    },
    action_overdue: {
      label: 'An action is overdue',
      hint: 'The day of one of your actions has passed, and it is not done.',
    },
    product_news: {
      label: 'News about Cairn',
      hint: 'What is new, a few times a year. Off unless you ask for it.',
    },
  },
  lead_days: 'How long before',
  days: (days: number) => (days === 1 ? '1 day' : `${days} days`),
  digest: 'Summary of your plans',
  digestHint: 'What moved, what is due and what is at risk, in one mail.',
  digests: { off: 'Never', daily: 'Every working day', weekly: 'On Mondays' },
} as const

/** What the choice of notifications on this device says. */
export const pushMessages = {
  title: 'On this device',
  states: {
    unasked: {
      title: 'Connect to turn notifications on',
      text: 'Whether they are offered here is not known without a network.',
    },
    unsupported: {
      title: 'This browser shows no notifications',
      text: 'Mails come all the same.',
    },
    'needs-install': {
      title: 'Install Cairn first',
      text: 'On iPhone and iPad only an installed app may notify you: choose Share, then Add to Home Screen, and open Cairn from there.',
    },
    ask: {
      title: 'Notifications are off',
      text: 'Turn them on, and your browser asks for your permission. They show titles and names, never the words of an update.',
    },
    denied: {
      title: 'Your browser blocks them',
      text: 'You once said no. To change it, open the site’s settings beside the address, or those of the installed app in your system’s settings, allow notifications and load this page again.',
    },
    off: {
      title: 'Notifications are off',
      text: 'Your browser allows them. Turn them on whenever you like.',
    },
    on: {
      title: 'Notifications are on',
      text: 'They end with your session on this device.',
    },
    absent: { title: '', text: '' },
  },
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  offline: 'You are offline: this needs a network.',
  failed: 'Your browser’s notification service could not be reached. Try again later.',
  notRegistered: 'Notifications could not be turned on for this device. Try again later.',
  kinds: {
    plan_update: {
      label: 'Updates',
      hint: 'Somebody posts on a plan that you own or have posted on.',
    },
    action_due: { label: 'Actions due soon', hint: 'In the morning, once for each action.' },
    action_overdue: { label: 'Overdue actions', hint: 'In the morning, once for each action.' },
  },
} as const
