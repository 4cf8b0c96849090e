import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'
import { formatCount, formatNumber } from '../../ui/text/format.ts'

/** Texts of the onboarding. */
export const onboardingMessages = {
  title: 'Set up Cairn',
  signInFirst: 'Sign in or register first: the setup is saved with your user account.',
  signIn: 'Sign in',
  register: 'Register',
  stepsLabel: 'Steps',
  step: (at: number, all: number) => `Step ${at} of ${all}`,
  stepName: (at: number, name: string, done: boolean) =>
    sentence`${at} ${name}${done ? ', done' : ''}`,
  done: 'Done',
  loading: 'Loading',
  failedTitle: 'Progress could not be loaded',
  failed: 'You can continue without it.',
  retry: 'Try again',
  notHereTitle: 'You are offline',
  notHere: 'Setting up needs a network. What you already have works offline.',
  skip: 'Skip this step',
  skipWith: (steps: number) => `Skip this step and the ${formatNumber(steps)} that need it`,
  finishLater: 'Finish later',
  proceed: 'Continue',
  offline: 'You are offline: this needs a network. What you type is kept.',
  stepNotSaved: 'This step could not be marked as done.',
  haveList: 'Already have a list?',
  firstOrganisation: 'This step needs an organisation first.',
  toOrganisation: 'Go to the organisation',

  steps: {
    profile: {
      name: 'Profile',
      title: 'Who are you?',
      lead: 'So that your colleagues know who wrote what.',
    },
    organisation: {
      name: 'Organisation',
      title: 'Where do you work?',
      lead: 'An organisation holds your accounts and plans. Only its members see them.',
    },
    invite: {
      name: 'Invite',
      title: 'Who works with you?',
      lead: 'They get an email with a link. You can invite more people at any time in the settings.',
    },
    first_account: {
      name: 'First account',
      title: 'Who is your first customer?',
      lead: 'An account is a customer. One is enough to start with.',
    },
    first_plan: {
      name: 'First plan',
      title: 'What is your first plan?',
      lead: 'A success plan says what you want to achieve, and by when.',
    },
    install: {
      name: 'Install',
      title: 'Install the app',
      lead: 'Installed, Cairn opens like any other app, online or offline.',
    },
  },

  organisation: {
    fields: { name: 'Name', timezone: 'Time zone', currency: 'Currency' },
    create: 'Create organisation',
    alreadyMember: (name: string) => sentence`You are in ${name}.`,
    choose: 'You already belong to an organisation.',
    pick: 'Choose one',
  },
  invite: {
    managersOnly: 'Only the owner and admins can invite people.',
  },
  account: {
    fields: { name: 'Customer name', website: 'Website' },
    create: 'Add account',
    import: 'Import accounts from a CSV file',
    alreadyExists: (many: number) =>
      many === 1
        ? 'There is already an account.'
        : `There are already ${formatCount(many, 'account')}.`,
  },
  plan: {
    project: 'None: an internal project',
    create: 'Create plan',
    import: 'Import plans from a CSV file',
    alreadyExists: (many: number) =>
      many === 1 ? 'There is already a plan.' : `There are already ${formatCount(many, 'plan')}.`,
  },
  install: {
    installed: 'It is installed on this device.',
    ask: 'Install Cairn',
    alreadyInstalled: 'I have installed it',
  },

  readyTitle: 'You are set up',
  ready: 'That is all it takes. Here is an overview.',
  notDone: 'later',
  open: 'Open Cairn',
} as const satisfies Messages
