/** Everything that setting up says. */
export const onboardingMessages = {
  title: 'Set up Cairn',
  stepsLabel: 'Steps',
  step: (at: number, all: number) => `Step ${at} of ${all}`,
  stepName: (at: number, name: string, done: boolean) => `${at} ${name}${done ? ', done' : ''}`,
  done: 'Done',
  loading: 'Loading how far you came',
  failedTitle: 'How far you came could not be loaded',
  failed: 'You can go on without it.',
  retry: 'Try again',
  notHereTitle: 'You are offline',
  notHere: 'Setting up begins with a network. What you already have works without one.',
  skip: 'Skip this step',
  finishLater: 'Finish later',
  goOn: 'Continue',
  offline: 'You are offline: this needs a network. What you type is kept.',
  notNoted: 'The server did not answer, so this step is not ticked off yet.',
  firstOrganisation: 'This step comes after the organisation.',
  toOrganisation: 'To the organisation',

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
      lead: 'They get a mail with a link. You can invite more at any time, in the settings.',
    },
    first_account: {
      name: 'First account',
      title: 'Whom do you help?',
      lead: 'An account is a customer. One is enough to begin with.',
    },
    first_plan: {
      name: 'First plan',
      title: 'What did you agree on?',
      lead: 'A success plan says what is to be reached, and by when.',
    },
    install: {
      name: 'Install',
      title: 'Take it with you',
      lead: 'Installed, Cairn opens like any other app, also where there is no network.',
    },
  },

  organisation: {
    fields: { name: 'Name', timezone: 'Time zone', currency: 'Currency' },
    create: 'Create organisation',
    there: (name: string) => `You are in ${name}.`,
    choose: 'You belong to organisations already.',
    pick: 'Choose one',
  },
  invite: {
    mayNot: 'Only the owner and admins invite people. Your organisation has somebody for that.',
  },
  account: {
    fields: { name: 'Name of the customer', website: 'Website' },
    create: 'Add account',
    there: (many: number) =>
      many === 1 ? 'There is an account already.' : `There are ${many} accounts already.`,
  },
  plan: {
    fields: {
      template_id: 'Template',
      title: 'Title',
      account_id: 'Account',
      start_date: 'Start date',
      end_date: 'End date',
    },
    project: 'None: it is a project of our own',
    create: 'Create plan',
    there: (many: number) =>
      many === 1 ? 'There is a plan already.' : `There are ${many} plans already.`,
  },
  install: {
    installed: 'It is installed on this device.',
    ask: 'Install Cairn',
    have: 'I have done it',
  },

  readyTitle: 'The first stones are laid',
  ready: 'That is all it takes. Here is where you stand.',
  notDone: 'later',
  open: 'Open Cairn',
} as const
