const count = (many: number, one: string) => `${many} ${many === 1 ? one : `${one}s`}`

/** Everything that the choice of an organisation says. */
export const organisationMessages = {
  title: 'Choose an organisation',
  lead: (name: string) => `Signed in as ${name}`,
  listLabel: 'Your organisations',
  roles: { owner: 'Owner', admin: 'Admin', member: 'Member' },
  members: (members: number) => count(members, 'member'),
  waiting: (waiting: number) => `${count(waiting, 'change')} waiting to sync`,
  attention: (refused: number) =>
    `${count(refused, 'change')} ${refused === 1 ? 'needs' : 'need'} attention`,
  current: 'Open now',
  loading: 'Loading your organisations',
  emptyTitle: 'You belong to no organisation yet',
  empty: 'Create one for your team, or ask a colleague for an invitation.',
  notHereTitle: 'Your organisations are not on this device yet',
  notHere: 'Connect once to choose one. After that it opens without a network.',
  failedTitle: 'Your organisations could not be loaded',
  retry: 'Try again',
  create: 'New organisation',
  createOffline: 'You are offline: a new organisation needs a network.',
  createTitle: 'New organisation',
  createLead: 'You will be its owner.',
  name: 'Name',
  draftRestored: 'Draft restored',
  submit: 'Create',
  cancel: 'Cancel',
  unreachable: 'The server did not answer. Nothing was created; try again.',
  signOut: 'Sign out',
} as const
