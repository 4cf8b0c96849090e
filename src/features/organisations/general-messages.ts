/** Everything that the general settings of an organisation say. */
export const generalMessages = {
  title: 'General',
  lead: (name: string) => `What is true for all of ${name}.`,
  fields: {
    name: 'Name',
    website: 'Website',
    timezone: 'Time zone',
    currency: 'Currency',
  },
  timezoneHint: 'What is overdue and what is due today goes by it.',
  currencyHint: 'New accounts begin with it.',
  save: 'Save changes',
  saved: 'Saved',
  offline: 'You are offline: this needs a network. What you type is kept.',
  mayNot: 'Only the owner and admins change this.',
  billing: (owner: string) => `Billing and plans are for the owner, ${owner}, alone.`,
  billingOfSomebody: 'Billing and plans are for the owner alone.',
  none: 'Not said',
  owner: 'Owner',

  delete: 'Delete this organisation',
  deleteText:
    'All accounts, plans, updates, initiatives, actions and templates go with it, for everybody.',
  deleteAction: 'Delete…',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteLead: 'Everything in it is gone for all members, and cannot be brought back.',
  deleteRepeat: (name: string) => `To be sure, type its name: ${name}`,
  deleteDiffers: 'This is not the name. Type it exactly.',
  deleteUnsent: (many: number) =>
    many === 1
      ? 'One change waits to be sent to it. It cannot be sent any more.'
      : `${many} changes wait to be sent to it. They cannot be sent any more.`,
  deleteSure: 'Delete for good',
  keep: 'Keep it',
  deleted: (name: string) => `${name} was deleted`,
  deleteOffline: 'You are offline: deleting needs a network.',
} as const
