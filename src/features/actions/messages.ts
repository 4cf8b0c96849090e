import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'
import { shortDay } from '../../ui/text/dates.ts'
import { labelOf } from '../../ui/text/format.ts'

/** Texts of action lists. */
export const actionMessages = {
  listLabel: (of: string) => `Actions of ${of}`,
  tick: (title: string) => sentence`Done: ${title}`,
  open: (title: string) => sentence`Edit “${title}”`,
  due: (day: string) => `Due ${shortDay(day)}`,
  overdue: (day: string) => `Overdue since ${shortDay(day)}`,
  assignedTo: (name: string) => sentence`Assignee: ${name}`,
  status: (status: string) => labelOf(status),
  highPriority: 'High priority',
  add: 'Add an action',
  addTo: (of: string) => `Add an action to ${of}`,
  addButton: 'Add',
  failed: 'This could not be saved on this device.',
} as const satisfies Messages

/** Texts of the action form. */
export const actionFormMessages = {
  title: 'Edit action',
  status: (status: string) => (status === 'todo' ? 'To do' : labelOf(status)),
  priority: (priority: string) => labelOf(priority),
  noPriority: 'None',
  unassigned: 'Unassigned',
  team: 'Team',
  customer: 'Customer',
  me: (name: string) => sentence`${name} (you)`,
  save: 'Save changes',
} as const satisfies Messages
