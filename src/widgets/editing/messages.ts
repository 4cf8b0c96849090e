import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'
import { shortDay, weekdayOf } from '../../ui/text/dates.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { resources, type ResourceName } from '../../../contract/resources.ts'

/** Texts shared by all forms and deletions. */
export const editingMessages = {
  draftRestored: 'Draft restored',
  discardDraft: 'Discard',
  summary: 'Please fix the following',
  loading: 'Loading the form',
  save: 'Save',
  saveAndResend: 'Save and send again',
  cancel: 'Cancel',
  inProgress: 'This is already in progress.',
  moreFor: (title: string) => sentence`More for “${title}”`,
  edit: 'Edit',
  delete: 'Delete',
  saved: 'Saved on this device',
  offlineHint: 'Works offline.',
  full: 'The device is full, so this is not saved. What you typed is still here: free some space, then try again.',
  failed: 'This could not be saved on this device. What you typed is still here.',

  unreachable: 'The server did not answer. What you typed is still here; try again in a moment.',
  busy: 'The server is busy. Try again in a moment.',
  denied: 'You are not allowed to do this.',
  gone: 'The server does not have this, or no longer.',
  refused: (status: number) => `The server refused this without a reason (${status}).`,
  taken:
    'The server answered, but not in the expected way. It may have done this already: check before you repeat it.',
  weekend: (weekday: string) => `This is a ${weekday}.`,
  workday: (day: string) => `Use ${weekdayOf(day)}, ${shortDay(day)}`,
  deleteUnsent: 'It has not been sent yet: discard it instead.',
  deleteNotYours: 'Only its author or an admin can delete it.',

  waiting: 'Not sent yet',
  attention: 'Needs attention',
  createdHere: 'This was created on this device.',
  changedHere: 'This was changed on this device.',
  deletedHere: 'This was deleted on this device.',
  blocked: (by: ResourceName | undefined) =>
    by === undefined
      ? 'Waiting for the record it belongs to'
      : `Waiting for the ${resources[by].label}`,
} as const satisfies Messages

/** Texts about changing many records at once. */
export const changeManyMessages = {
  undo: 'Undo',
  undone: (undone: number, all: number, countOf: (records: number) => string) =>
    undone === all
      ? `Undone: ${countOf(all)}`
      : undone === 0
        ? 'It has been sent, so it can no longer be undone.'
        : `Undone: ${formatNumber(undone)} of ${countOf(all)}. The others had been sent already.`,
  failed: 'This could not be saved on this device. Free some space, then try again.',
  me: (name: string) => sentence`${name} (you)`,
} as const satisfies Messages
