// What is said of operations that wait. Apart from the states, which the first screen needs.
import { clockTime, moment, sameDay } from '../../ui/text/dates.ts'
import { resources, type ResourceName } from '../../../contract/resources.ts'

type Subject = ResourceName | undefined

/** What a record is called; undefined is for calls of no resource, or of another build. */
const labelOf = (subject: Subject) =>
  subject ? resources[subject].label : { one: 'record', a: 'a record' }

/** How to make room where the organisation's plan allows no more. */
const ROOM: Partial<Record<ResourceName, string>> = {
  success_plans: 'Complete or cancel a plan, then send this again.',
  accounts: 'Delete an account that is no longer needed, then send this again.',
  templates: 'Delete a template that is no longer needed, then send this again.',
}

/** What an operation is called. */
export const titleMessages = {
  update: (plan: string | undefined) =>
    plan === undefined ? 'Update of a plan' : `Update on “${plan}”`,
  made: (subject: Subject, name: string) => `New ${labelOf(subject).one} “${name}”`,
  changed: (subject: Subject, name: string | undefined) =>
    name === undefined ? `Changes of ${labelOf(subject).a}` : `Changes of “${name}”`,
  profile: 'Your profile',
  other: 'Your settings',
} as const

/** What can be done with something that waits. */
export const operationMessages = {
  retry: 'Send again',
  anew: 'Say it anew',
  edit: 'Edit',
  seePlans: 'See the paid plan',
  discard: 'Discard',
  discarded: (many: number) =>
    many === 1 ? 'Discarded' : `Discarded, with ${many - 1} that depended on it`,
  undo: 'Undo',
  undoFailed: 'This could not be put back: the device’s storage refused it.',
  failed: 'The device’s storage refused this. Nothing has changed.',
  /** Tried, and no answer came: the server may have it. */
  inDoubt: 'It may have arrived already. What became of it is known once the server answers.',
  waitsFor: (title: string) => `Waits for ${title}, which needs attention.`,
  otherOrganisation: 'another organisation',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Copying was refused by the browser. Select the text and copy it by hand.',
} as const

/** Why the server refused, and the way on. */
export const reasonMessages = {
  gone: (subject: Subject) =>
    `This ${labelOf(subject).one} was deleted meanwhile, or you can no longer see it. Copy your words if you still need them.`,
  mayNot: (organisation: string) =>
    `You may not do this in ${organisation} any more: you were removed, or your role has changed.`,
  ask: (people: readonly string[]) =>
    people.length === 0
      ? 'Ask an admin of the organisation.'
      : `Ask ${new Intl.ListFormat('en', { type: 'disjunction' }).format(people)}.`,
  limit: 'The plan of your organisation allows no more.',
  room: (subject: Subject) => (subject && ROOM[subject]) ?? 'Make room, then send this again.',
  invalid: 'The server cannot take this as it is:',
  tooLarge: 'This is larger than the server takes. Shorten it, then send it again.',
  keyUsed:
    'The key of this was used for something else, so the server did not read it. Say it anew with a new one.',
  otherWords:
    'An earlier version of this has arrived. Copy these words, and say them anew where they belong.',
  moved: 'This was changed meanwhile, and the two cannot be compared. Look at it, then send again.',
  serverSaid: (words: string) => `The server said: ${words}`,
} as const

const weekday = new Intl.DateTimeFormat('en', { weekday: 'long' })
const WEEK_MS = 6 * 86_400_000

/** `10:12` today, `Tuesday 10:12` in the last days, else the date. */
function describeMoment(at: string): string {
  const age = Date.now() - Date.parse(at)
  if (sameDay(at, Date.now()) || age > WEEK_MS || age < 0) return moment(at)
  return `${weekday.format(new Date(at))} ${clockTime(at)}`
}

/** What a question asks: the same was changed here and by somebody else. */
export const questionMessages = {
  title: (fields: readonly string[]) =>
    `${new Intl.ListFormat('en').format(fields)} ${fields.length === 1 ? 'was' : 'were'} changed meanwhile`,
  lead: 'You and somebody else changed the same. Choose what holds.',
  movedOn: 'The plan has moved on meanwhile, so your step is not possible any more.',
  noteAlone: 'Your note can be posted without it.',
  noteGoes: 'Your note is posted whatever you choose.',
  mine: 'Use mine',
  theirs: 'Keep theirs',
  you: (at: string) => `You, ${describeMoment(at)}`,
  by: (name: string, at: string) => `${name}, ${describeMoment(at)}`,
  now: 'As it is now',
  fromTo: (from: string, to: string) => `${from} → ${to}`,
  cannot: (from: string, to: string) =>
    `A plan that is ${from.toLowerCase()} cannot become ${to.toLowerCase()} any more.`,
  missing: 'Choose for each first.',
  send: 'Send my choice',
  postNote: 'Post the note',
  giveUp: 'Give up my change',
  elsewhere: (organisation: string) =>
    `The same was changed by somebody else. Open ${organisation} to choose what holds.`,
  answered: 'Your choice is saved on this device',
  givenUp: 'Theirs stays',
} as const
