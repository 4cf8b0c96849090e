import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'
import { formatCount } from '../../ui/text/format.ts'

/** Texts of the organisation chooser. */
export const organisationMessages = {
  title: 'Choose an organisation',
  lead: (name: string) => sentence`Signed in as ${name}`,
  listLabel: 'Your organisations',
  roles: { owner: 'Owner', admin: 'Admin', member: 'Member' },
  members: (members: number) => formatCount(members, 'member'),
  waiting: (waiting: number) => `${formatCount(waiting, 'change')} waiting to sync`,
  attention: (refused: number) =>
    `${formatCount(refused, 'change')} ${refused === 1 ? 'needs' : 'need'} attention`,
  current: 'Current',
  loading: 'Loading your organisations',
  emptyTitle: 'You do not belong to an organisation yet',
  empty: 'Create one for your team, or ask a colleague for an invitation.',
  notHereTitle: 'Your organisations are not on this device yet',
  notHere: 'Connect once to choose one. After that it opens offline.',
  failedTitle: 'Your organisations could not be loaded',
  failed: 'Nothing is lost. Try again in a moment.',
  retry: 'Try again',
  create: 'New organisation',
  createOffline: 'You are offline: a new organisation needs a network.',
  createTitle: 'New organisation',
  createLead: 'You will be its owner.',
  name: 'Name',
  submit: 'Create',
  cancel: 'Cancel',
} as const satisfies Messages
