// The fields of all records in words for people, each with its value: in questions, in what the server
// refused, in what is written down. One place, so that a field has one name.
import { formatNumber, formatPercent, fullDay, labelOf } from '../../ui/text/format.ts'

const NAMES: Readonly<Record<string, string>> = {
  account_id: 'Account',
  arr: 'ARR',
  assignee_contact: 'Customer contact',
  assignee_id: 'Assignee',
  avatar_url: 'Picture',
  body: 'Text',
  close_note: 'Closing note',
  completed_at: 'Done on',
  contacts: 'Contacts',
  currency: 'Currency',
  description: 'Description',
  due_date: 'Due date',
  email: 'Email',
  end_date: 'End date',
  health: 'Health',
  industry: 'Industry',
  initiative_id: 'Initiative',
  job_title: 'Job title',
  name: 'Name',
  note: 'Note',
  notes: 'Notes',
  outcome: 'Outcome',
  owner_id: 'Owner',
  phone: 'Phone',
  position: 'Position',
  priority: 'Priority',
  progress: 'Progress',
  progress_mode: 'Progress method',
  renewal_date: 'Renewal',
  start_date: 'Start date',
  status: 'Status',
  success_criteria: 'Success criteria',
  success_plan_id: 'Success plan',
  tags: 'Tags',
  template_id: 'Template',
  tier: 'Tier',
  timezone: 'Time zone',
  title: 'Title',
  type: 'Type',
  update_cadence_days: 'Update cadence',
  website: 'Website',
}

const NOTHING = 'nothing'
const FORMER_MEMBER = 'a former member'
const UNKNOWN = 'one that is not on this device'
const PEOPLE = new Set(['owner_id', 'assignee_id'])

/** What a field is called; a path such as `contacts.0.email` by its beginning and its end. */
export function fieldName(field: string): string {
  const parts = field.split('.').filter((part) => !/^\d+$/.test(part))
  const names = parts.map((part) => NAMES[part] ?? labelOf(part))
  return names.join(', ').replace(/, (\p{Lu}\p{Ll})/u, (tail) => tail.toLowerCase())
}

/**
 * A value as people say it: days, people and accounts by name, words without hyphens. `nameOf` knows
 * what an id stands for. Long texts stay as they are.
 */
export function fieldValue(
  field: string,
  value: unknown,
  nameOf: (id: string) => string | undefined,
): string {
  if (value === null || value === undefined || value === '') return NOTHING
  if (Array.isArray(value)) {
    if (value.length === 0) return NOTHING
    return value.map((one) => fieldValue('', one, nameOf)).join(', ')
  }
  if (typeof value === 'object') {
    const { name, email } = value as { name?: string; email?: string }
    return name ?? email ?? NOTHING
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') {
    if (field === 'progress') return formatPercent(value)
    return field === 'update_cadence_days' ? `Every ${value} days` : formatNumber(value)
  }
  if (typeof value !== 'string') return NOTHING
  if (field.endsWith('_id')) return nameOf(value) ?? (PEOPLE.has(field) ? FORMER_MEMBER : UNKNOWN)
  if (/(_date|_at)$/.test(field)) return fullDay(value.slice(0, 10))
  return ENUM_FIELDS.has(field) ? labelOf(value) : value
}

/** Fields whose values are words of the contract. */
const ENUM_FIELDS = new Set([
  'health',
  'outcome',
  'priority',
  'progress_mode',
  'status',
  'tier',
  'type',
])
