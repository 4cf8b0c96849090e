import type { Messages } from '../../../contract/text/catalogue.ts'
import { formatCount } from '../../ui/text/format.ts'

/** Texts of the profile settings. */
export const profileMessages = {
  title: 'Profile',
  lead: 'What your colleagues see about you.',
  fields: {
    name: 'Name',
    job_title: 'Job title',
    phone: 'Phone',
    timezone: 'Time zone',
  },
  timezoneHint: 'Emails are sent in your morning.',
  save: 'Save changes',
  saved: 'Saved on this device',
  offlineHint: 'Works offline.',
  changed: 'Your profile was changed on this device.',
} as const satisfies Messages

/** Texts of the email notification settings. */
export const notificationMessages = {
  title: 'Notifications',
  lead: (email: string) => `What is emailed to ${email}. This applies to all your organisations.`,
  loading: 'Loading your choices',
  failedTitle: 'Your choices could not be loaded',
  failedLead: 'Nothing has changed: notifications arrive as you chose. Try again in a moment.',
  retry: 'Try again',
  notHereTitle: 'Your choices are not on this device yet',
  notHere: 'Connect once to see them. After that you can change them offline.',
  absentTitle: 'No notification settings on this server',
  changed: 'Your choices were changed on this device.',
  failed: 'This could not be saved on this device. Nothing has changed.',
  groups: { plans: 'Success plans', actions: 'Actions', more: 'More' },
  kinds: {
    plan_update: {
      label: 'Updates',
      hint: 'Someone posts an update on a plan that you own.',
    },
    plan_assigned: {
      label: 'You become owner of a plan',
      hint: 'Someone makes you the owner of a plan.',
    },
    plan_stale: {
      label: 'No update for a while',
      hint: 'One of your plans has passed its update cadence.',
    },
    action_assigned: {
      label: 'You are assigned an action',
      hint: 'Someone assigns an action to you.',
    },
    action_due: {
      label: 'An action is due soon',
      hint: 'One of your actions is due in the coming days.',
    },
    action_overdue: {
      label: 'An action is overdue',
      hint: 'One of your actions is past its due date.',
    },
    product_news: {
      label: 'News about Cairn',
      hint: 'What is new, a few times a year. Off unless you turn it on.',
    },
  },
  lead_days: 'How long in advance',
  days: (days: number) => formatCount(days, 'day'),
  digest: 'Summary of your plans',
  digestHint: 'What changed, what is due and what is at risk, in one email.',
  digests: { off: 'Never', daily: 'Every working day', weekly: 'On Mondays' },
} as const satisfies Messages

/** Texts of the push notification settings of this device. */
export const pushMessages = {
  title: 'On this device',
  states: {
    unasked: {
      title: 'Connect to turn notifications on',
      text: 'Whether this browser can show them is only known online.',
    },
    unsupported: {
      title: 'This browser cannot show notifications',
      text: 'You still get emails.',
    },
    'needs-install': {
      title: 'Install Cairn first',
      text: 'On iPhone and iPad only an installed app can notify you: choose Share, then Add to Home Screen, and open Cairn from there.',
    },
    ask: {
      title: 'Notifications are off',
      text: 'When you turn them on, your browser asks for permission. They show titles and names, never the text of an update.',
    },
    denied: {
      title: 'Your browser blocks notifications',
      text: 'To change this, open the site settings next to the address, or those of the installed app in your system’s settings. Allow notifications and reload this page.',
    },
    off: {
      title: 'Notifications are off',
      text: 'Your browser allows them. Turn them on at any time.',
    },
    on: {
      title: 'Notifications are on',
      text: 'They stop when you sign out on this device.',
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
      hint: 'Someone posts on a plan that you own or have posted on.',
    },
    action_due: { label: 'Actions due soon', hint: 'In the morning, once for each action.' },
    action_overdue: { label: 'Overdue actions', hint: 'In the morning, once for each action.' },
  },
} as const satisfies Messages
