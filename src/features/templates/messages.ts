import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'
import { fullDay, shortDay } from '../../ui/text/dates.ts'
import { formatCount, formatEach, labelOf } from '../../ui/text/format.ts'

interface Starter {
  duration_days: number
  initiatives: readonly { actions: readonly unknown[] }[]
}

/** Texts of the template screens. */
export const templateMessages = {
  title: 'Templates',
  listLabel: 'Templates',
  lead: 'Reusable plans: initiatives, actions and dates.',
  add: 'New template',
  first: 'Create your first template',
  use: 'Use',
  useFor: (title: string) => sentence`Use “${title}” for a new plan`,
  kind: (type: string) => `${labelOf(type)} plan`,
  days: (days: number) => formatCount(days, 'day'),
  cadence: (days: number) => `Update every ${formatEach(days, 'day')}`,
  size: (initiatives: number, actions: number) =>
    initiatives === 0
      ? 'No initiatives'
      : `${formatCount(initiatives, 'initiative')}, ${formatCount(actions, 'action')}`,
  contents: (title: string) => sentence`What is in “${title}”`,
  span: (from: number, to: number) => `Day ${from} to ${to}`,
  day: (day: number) => `Day ${day}`,

  loading: 'Loading the templates',
  loadingForm: 'Loading the form',
  unavailableTitle: 'No templates on this server',
  unavailable: 'Create a plan without one. Everything else works as usual.',
  emptyTitle: 'No templates yet',
  empty:
    'Save a plan that went well as a template, or create one. New plans can then start from it.',
  failedTitle: 'The templates could not be loaded',
  failed: 'Nothing is lost. Try again in a moment.',
  retry: 'Try again',
  notHereTitle: 'Your templates are not on this device yet',
  notHere: 'They are downloaded as soon as you are online.',
  missingTitle: 'This template does not exist',
  missing: 'It may have been deleted.',
  all: 'Show all templates',

  offline: 'You are offline: changing templates needs a network.',
  managersOnly: 'Only the owner and admins can edit templates.',
} as const satisfies Messages

/** Texts of the starter templates on the empty list. */
export const starterRowMessages = {
  title: 'Start with one of these',
  lead: 'They become templates of your organisation, which you can edit.',
  summary: ({ duration_days, initiatives }: Starter) =>
    `${formatCount(duration_days, 'day')} · ${formatCount(initiatives.length, 'initiative')}, ${formatCount(
      initiatives.flatMap(({ actions }) => actions).length,
      'action',
    )}`,
  add: 'Add',
  addTitle: (title: string) => sentence`Add the template “${title}”`,
  adding: 'Adding the template.',
  added: (title: string) => sentence`“${title}” is now a template`,
  failed: 'This template could not be added. Try again in a moment.',
} as const satisfies Messages

/** Texts of the template form. */
export const templateFormMessages = {
  back: 'Templates',
  newTitle: 'New template',
  editTitle: 'Edit template',
  fields: {
    title: 'Title',
    description: 'Description',
    type: 'Type of plan',
    duration_days: 'Duration in days',
    update_cadence_days: 'Update cadence',
    initiatives: 'Initiatives',
  },
  descriptionHint: 'When to use it, in a sentence.',
  anyType: 'Any',
  noCadence: 'None',
  days: (days: number) => `Every ${formatEach(days, 'day')}`,
  stepsLead: 'Days count from the start of the plan. Day 0 is the first day.',
  initiative: (at: number) => `Initiative ${at}`,
  initiativeTitle: 'Initiative',
  from: 'From day',
  to: 'To day',
  action: 'Action',
  actionOf: (at: number, initiative: number) => `Action ${at} of initiative ${initiative}`,
  due: 'Due on day',
  assignee: 'Assignee',
  role: (role: string) => (role === '' ? 'Unassigned' : labelOf(role)),
  addInitiative: 'Add initiative',
  addAction: 'Add action',
  removeInitiative: (title: string) => sentence`Remove initiative “${title}”`,
  removeAction: (title: string) => sentence`Remove action “${title}”`,
  changedMeanwhile:
    'Another person has changed the same parts of this template since you opened it. Save again to replace their version with yours, or cancel to keep theirs.',
  online: 'Templates are saved on the server at once.',
  create: 'Create template',
  save: 'Save changes',
} as const satisfies Messages

/** Texts about creating a plan from a template, and a template from a plan. */
export const fromTemplateMessages = {
  field: 'Template',
  hint: 'Its initiatives and actions come with the plan.',
  none: 'Start from scratch',
  preview: 'What this template adds',
  runs: (from: string, to: string) => `The plan runs from ${fullDay(from)} to ${fullDay(to)}.`,
  startPassed: (late: number) =>
    late === 0
      ? 'Counted back from its end, the plan would start before today.'
      : `Counted back from its end, the plan would start before today: ${formatCount(late, 'action')} would be overdue at once.`,
  startToday: 'Start today',
  skipWeekends: (dates: number) =>
    dates === 1
      ? '1 date is on a weekend. Move it to the next working day.'
      : `${formatCount(dates, 'date')} are on a weekend. Move them to the next working day.`,
  span: (from: string, to: string) =>
    from === to ? shortDay(from) : `${shortDay(from)} – ${shortDay(to)}`,
  due: (day: string) => `Due ${shortDay(day)}`,
  nothing: 'This template has no initiatives. It only sets the dates.',
  pending: 'From the template',
  pendingLead:
    'They are added once the plan has been sent. Then you can edit them and tick them off.',

  save: 'Save as template',
  saveLead:
    'Its initiatives and actions become the template, in days from the start of the plan. Names and dates are not copied.',
  saveTitle: 'Title of the template',
  saved: (title: string) => sentence`“${title}” is now a template`,
  show: 'Show',
  unsent: 'This plan has not been sent yet.',
} as const satisfies Messages
