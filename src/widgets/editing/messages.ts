import { resources, type ResourceName } from '../../../contract/resources.ts'

/** What every form and every deletion says. */
export const editingMessages = {
  draftRestored: 'Draft restored',
  discardDraft: 'Discard',
  summary: 'Please mend this first',
  save: 'Save',
  saveAndResend: 'Save and send again',
  cancel: 'Cancel',
  onItsWay: 'It is already being done.',
  moreFor: (title: string) => `More for “${title}”`,
  edit: 'Edit',
  delete: 'Delete',
  saved: 'Saved on this device',
  offlineHint: 'Works without a network: it is sent later.',
  full: 'The device is full, so this is not saved. What you typed is still here: free some space, and try again.',
  failed: 'This could not be saved on the device. What you typed is still here.',

  unreachable: 'The server did not answer. What you typed is still here; try again in a moment.',

  deleteTitle: (title: string) => `Delete “${title}”?`,
  deleteForGood: 'This cannot be undone.',
  formerMember: 'A former member',
  keep: 'Keep it',
  deleted: (title: string) => `“${title}” was deleted`,
  deleteOffline: 'You are offline: deleting needs a network.',
  deleteUnsent: 'The server does not have it yet: discard it instead.',
  deleteNotYours: 'Only its author or an admin may delete it.',
  deleteUnreachable: 'The server did not answer. Nothing was deleted; try again.',

  waiting: 'Not sent yet',
  attention: 'Needs attention',
  madeHere: 'This was made here.',
  changedHere: 'This was changed here.',
  held: (by: ResourceName | undefined) =>
    by === undefined ? 'Waits for what it belongs to' : `Waits with the ${resources[by].label.one}`,
} as const
