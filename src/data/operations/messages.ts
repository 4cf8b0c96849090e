// Texts about pending operations. Their states are elsewhere, because the first screen loads those.
import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'
import { resources, withArticle, type ResourceName } from '../../../contract/resources.ts'
import { moment, sameDay, weekdayTime } from '../../ui/text/dates.ts'
import { formatList, labelOf as capitalised } from '../../ui/text/format.ts'

type Subject = ResourceName | undefined

/** Undefined for calls without a resource and for calls of another build. */
const labelOf = (subject: Subject) => (subject ? resources[subject].label : 'record')

/** How to get below a limit of the organisation's plan. */
const ROOM: Partial<Record<ResourceName, string>> = {
  success_plans: 'Complete or cancel a plan, then send this again.',
  accounts: 'Delete an account that is no longer needed, then send this again.',
  templates: 'Delete a template that is no longer needed, then send this again.',
}

/** Titles of operations. */
export const titleMessages = {
  update: (plan: string | undefined) =>
    plan === undefined ? 'Update of a plan' : `Update on “${plan}”`,
  created: (subject: Subject, name: string) => sentence`New ${labelOf(subject)} “${name}”`,
  changed: (subject: Subject, name: string | undefined) =>
    name === undefined ? `Edit to ${withArticle(labelOf(subject))}` : sentence`Edit to “${name}”`,
  deleted: (subject: Subject, name: string | undefined) =>
    name === undefined
      ? `Deletion of ${withArticle(labelOf(subject))}`
      : sentence`Deletion of “${name}”`,
  view: (name: string) => sentence`Saved view “${name}”`,
  deletedView: 'Deletion of a saved view',
  profile: 'Your profile',
  other: 'Your settings',
  ofNewerVersion: 'A change made in a newer version of Cairn',
} as const satisfies Messages

/** Actions on pending operations. */
export const operationMessages = {
  retry: 'Send again',
  sendAsNew: 'Send as new',
  edit: 'Edit',
  seePlans: 'See pricing',
  discard: 'Discard',
  discarded: (many: number) =>
    many === 1 ? 'Discarded' : `Discarded, with ${many - 1} that depended on it`,
  notDiscarded: 'This was not discarded: it is being sent, or was changed in another tab.',
  undo: 'Undo',
  undoFailed: 'This could not be restored on this device.',
  failed: 'This could not be saved on this device. Nothing has changed.',
  /** Of operations that a newer build made. */
  sentByNewer: 'That version sends it. To use it in this tab as well, reload the page.',
  decidedInNewer: 'It needs your decision in that version. To use it in this tab, reload the page.',
  /** Sent without an answer, so the server may have received it. */
  inDoubt: 'It may have arrived already. This is known once the server answers.',
  waitsFor: (title: string) => sentence`Waiting for ${title}, which needs attention.`,
  waitsForAnswer: (fields: readonly string[]) =>
    `Waiting for your choice about ${formatList(fields)}.`,
  otherOrganisation: 'another organisation',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'The browser blocked copying. Select the text and copy it by hand.',
} as const satisfies Messages

/** Why the server rejected an operation, and what to do. */
export const reasonMessages = {
  deleted: (subject: Subject) =>
    `This ${labelOf(subject)} has been deleted, or you can no longer see it. Copy your text if you still need it.`,
  forbidden: (organisation: string) => `You may not do this in ${organisation}.`,
  roleChanged: 'Your role may have changed, or you may have been removed.',
  askAdmin: (people: readonly string[]) =>
    people.length === 0
      ? 'Ask an admin of the organisation.'
      : `Ask ${formatList(people, 'disjunction')}.`,
  limit: 'Your organisation has reached a limit of its plan.',
  makeRoom: (subject: Subject) => (subject && ROOM[subject]) ?? 'Make room, then send this again.',
  invalid: 'The server cannot accept this as it is:',
  tooLarge: 'This is larger than the server accepts. Shorten it, then send it again.',
  keyUsed: 'This was already used. Send it again as new.',
  contentDiffers: 'An earlier version of this has arrived. Copy the text and post it again.',
  notComparable:
    'This may have been changed meanwhile, and the two versions cannot be compared. Check it, then send it again.',
  notAsAgreed:
    'The server answered, but did not confirm this. It may have arrived already: look for it before you send it again.',
  notKept: (fields: readonly string[]) =>
    fields.length === 0
      ? 'The server answered, but did not keep this.'
      : `The server answered, but did not keep: ${formatList(fields)}.`,
  notDeleted: 'The server answered, but did not delete this.',
  undecided:
    'The answer to this was lost, and nothing on the server tells for sure whether it arrived. Look for it: if it is missing, send it again; if it is there, discard this one.',
  foreignAnswer:
    'Something other than the server answers this, such as a proxy or a firewall. It has probably not arrived. Send it again later, or ask those who run the network or the server.',
  unreadable:
    'What the server has now could not be understood, so this was not sent. Try again later, or ask those who run the server.',
  absent: 'The server does not offer this any more. Send it again once it does.',
  serverMessage: (words: string) => `The server said: ${words}`,
} as const satisfies Messages

const WEEK_MS = 6 * 86_400_000

/** `10:12` today, `Tuesday 10:12` in the last six days, otherwise the date. */
function describeMoment(at: string): string {
  const age = Date.now() - Date.parse(at)
  if (sameDay(at, Date.now()) || age > WEEK_MS || age < 0) return moment(at)
  return weekdayTime(at)
}

/** Texts for a deletion of something that others have changed meanwhile. */
export const deletionMessages = {
  label: (title: string | undefined) =>
    title === undefined ? 'Delete it anyway?' : sentence`Delete “${title}” anyway?`,
  lead: 'Someone else changed this after you last saw it, so it has not been deleted.',
  newUpdate: 'New update',
  deleteAnyway: 'Delete anyway',
  keep: 'Keep it',
  willBeDeleted: 'It will be deleted',
  isKept: 'It is kept',
  otherOrganisation: (organisation: string) =>
    `Someone else changed this after you last saw it. Open ${organisation} to decide whether to delete it.`,
} as const satisfies Messages

/** Texts for resolving a conflict. */
export const questionMessages = {
  title: (fields: readonly string[]) =>
    `${formatList(fields)} ${fields.length === 1 ? 'was' : 'were'} changed by someone else`,
  lead: 'Someone else changed this too. Choose which value to keep.',
  statusChanged: (subject: Subject) =>
    `The ${labelOf(subject)} has changed, so this step is no longer possible.`,
  noteSeparate: 'Your note can be posted without it.',
  noteAlwaysPosted: 'Your note is posted whatever you choose.',
  mine: 'Use mine',
  theirs: 'Keep theirs',
  you: (at: string) => `You, ${describeMoment(at)}`,
  by: (name: string, at: string) => sentence`${name}, ${describeMoment(at)}`,
  otherDevice: 'You, on another device',
  currentValue: 'Current value',
  fromTo: (from: string, to: string) => `${from} → ${to}`,
  transitionImpossible: (subject: Subject, from: string, to: string) =>
    `${capitalised(withArticle(labelOf(subject)))} that is ${from.toLowerCase()} can no longer become ${to.toLowerCase()}.`,
  missing: 'Choose a value for each field.',
  send: 'Save my choice',
  postNote: 'Post the note',
  discardMine: 'Discard my change',
  otherOrganisation: (organisation: string) =>
    `Someone else changed this too. Open ${organisation} to choose which value to keep.`,
  resolved: 'Your choice is saved on this device',
  keptTheirs: 'Kept their value',
  answered: 'This has been answered already',
  changed: 'This question has changed. Choose again.',
} as const satisfies Messages
