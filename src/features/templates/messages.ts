import { fullDay, moment, shortDay } from '../../ui/text/dates.ts'

const NUMBER = new Intl.NumberFormat('en')
const count = (many: number, one: string) =>
  `${NUMBER.format(many)} ${many === 1 ? one : `${one}s`}`

/** Everything that the screens of templates say. */
export const templateMessages = {
  title: 'Templates',
  upToDate: (at: number) => `Up to date · synced ${moment(at)}`,
  asOf: (at: number) => `Offline · as of ${moment(at)}`,
  listLabel: 'Templates',
  lead: 'What a plan of a kind usually consists of, in days from its start.',
  add: 'New template',
  first: 'Write the first template',
  use: 'Use',
  useFor: (title: string) => `Use “${title}” for a new plan`,
  kinds: { customer: 'Customer plan', project: 'Project plan' } as Readonly<Record<string, string>>,
  days: (days: number) => count(days, 'day'),
  rhythm: (days: number) => `Update every ${days} days`,
  size: (initiatives: number, actions: number) =>
    initiatives === 0
      ? 'No initiatives'
      : `${count(initiatives, 'initiative')}, ${count(actions, 'action')}`,
  contents: (title: string) => `What is in “${title}”`,
  span: (from: number, to: number) => `Day ${from} to ${to}`,
  day: (day: number) => `Day ${day}`,
  deleteConsequence: 'Plans that were made from it stay as they are.',

  loading: 'Loading the templates',
  emptyTitle: 'No templates yet',
  empty:
    'Save a plan that went well as a template, or write one: the next plan begins with its work.',
  failedTitle: 'The templates could not be loaded',
  failed: 'Nothing is lost. Check the connection and try again.',
  retry: 'Try again',
  notHereTitle: 'Your templates are not on this device yet',
  notHere: 'They are downloaded as soon as there is a network.',
  missingTitle: 'This template does not exist',
  missing: 'It may have been deleted.',
  all: 'Show all templates',

  offline: 'You are offline: templates are written with a network.',
  managersOnly: 'Only an admin of the organisation may write templates.',
} as const

/** What the form of a template says. */
export const templateFormMessages = {
  back: 'Templates',
  newTitle: 'New template',
  editTitle: 'Edit template',
  fields: {
    title: 'Title',
    description: 'Description',
    type: 'Type of plan',
    duration_days: 'Duration in days',
    update_cadence_days: 'Update rhythm',
    initiatives: 'Initiatives',
  },
  descriptionHint: 'When to use it, in a sentence.',
  anyType: 'Any',
  noRhythm: 'None',
  days: (days: number) => `Every ${days} days`,
  stepsLead: 'Days count from the start of the plan: day 0 is its first one.',
  initiative: (at: number) => `Initiative ${at}`,
  initiativeTitle: 'Initiative',
  from: 'From day',
  to: 'To day',
  action: 'Action',
  actionOf: (at: number, initiative: number) => `Action ${at} of initiative ${initiative}`,
  due: 'Due on day',
  assignee: 'Assignee',
  roles: {
    '': 'Nobody yet',
    'plan-owner': 'Owner of the plan',
    'account-owner': 'Owner of the account',
    customer: 'The customer',
  } as Readonly<Record<string, string>>,
  addInitiative: 'Add initiative',
  addAction: 'Add action',
  removeInitiative: (title: string) => `Remove initiative “${title}”`,
  removeAction: (title: string) => `Remove action “${title}”`,
  online: 'Templates are saved on the server at once.',
  create: 'Create template',
  save: 'Save changes',
} as const

/** What a plan says of the template that it is made from. */
export const fromTemplateMessages = {
  field: 'Template',
  hint: 'Its initiatives and actions come with the plan.',
  none: 'Begin without a template',
  preview: 'What the template gives',
  ends: (day: string) => `The plan ends ${fullDay(day)}.`,
  span: (from: string, to: string) =>
    from === to ? shortDay(from) : `${shortDay(from)} – ${shortDay(to)}`,
  due: (day: string) => `Due ${shortDay(day)}`,
  nothing: 'This template has no initiatives: it gives the dates alone.',
  awaited: 'From the template',
  awaitedLead:
    'They come with the plan as soon as it has been sent. From then on they can be ticked off and changed.',

  save: 'Save as template',
  saveLead:
    'Its initiatives and actions become the template, in days from the start of the plan. Names and dates stay behind.',
  saveTitle: 'Title of the template',
  saved: (title: string) => `“${title}” is a template now`,
  show: 'Show',
  unsent: 'The server does not have this plan yet.',
} as const
