import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'
import { formatCount } from '../../ui/text/format.ts'

/** Texts of an organisation's general settings. */
export const generalMessages = {
  title: 'General',
  importTitle: 'Import an archive',
  lead: (name: string) => sentence`Settings for everyone in ${name}`,
  fields: {
    name: 'Name',
    website: 'Website',
    timezone: 'Time zone',
    currency: 'Currency',
  },
  timezoneHint: 'Decides what is due today and what is overdue.',
  currencyHint: 'The default for new accounts.',
  save: 'Save changes',
  saved: 'Saved',
  offline: 'You are offline: this needs a network. What you type is kept.',
  adminsOnly: 'Only the owner and admins can change this.',
  billing: (owner: string) => `Only the owner, ${owner}, can see billing and pricing.`,
  billingOwnerOnly: 'Only the owner can see billing and pricing.',
  none: 'Not set',
  owner: 'Owner',

  delete: 'Delete this organisation',
  deleteText:
    'All accounts, plans, updates, initiatives, actions and templates are deleted too, for everyone.',
  deleteAction: 'Delete…',
  deleteTitle: (name: string) => sentence`Delete ${name}?`,
  deleteLead: 'Everything in it is deleted for all members and cannot be restored.',
  /** Not isolated: the name is copied from here. */
  deleteRepeat: (name: string) => `To confirm, type its name: ${name}`,
  deleteNameMismatch: 'The name does not match. Type it exactly.',
  deleteUnsent: (many: number) =>
    many === 1
      ? 'One change is waiting to be sent to it. It can no longer be sent.'
      : `${formatCount(many, 'change')} are waiting to be sent to it. They can no longer be sent.`,
  deleteConfirm: 'Delete permanently',
  keep: 'Cancel',
  deleted: (name: string) => sentence`${name} was deleted`,
  deleteOffline: 'You are offline: deleting needs a network.',
} as const satisfies Messages
