// The fields of all records in words for people, each with its value: in questions, in what the server
// refused, in what is written down. One place, so that a field has one name.
import { fieldNames, fieldValueMessages as words } from './field-messages.ts'
import { fullDay } from '../../ui/text/dates.ts'
import { formatNumber, formatPercent, labelOf } from '../../ui/text/format.ts'

const NAMES: Readonly<Record<string, string>> = fieldNames

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
  if (value === null || value === undefined || value === '') return words.nothing
  if (Array.isArray(value)) {
    if (value.length === 0) return words.nothing
    return value.map((one) => fieldValue('', one, nameOf)).join(', ')
  }
  if (typeof value === 'object') {
    const { name, email } = value as { name?: string; email?: string }
    return name ?? email ?? words.nothing
  }
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (typeof value === 'number') {
    if (field === 'progress') return formatPercent(value)
    return field === 'update_cadence_days' ? words.cadence(value) : formatNumber(value)
  }
  if (typeof value !== 'string') return words.nothing
  if (field.endsWith('_id'))
    return nameOf(value) ?? (PEOPLE.has(field) ? words.formerMember : words.unknown)
  if (/(_date|_at)$/.test(field)) return fullDay(value.slice(0, 10))
  return ENUM_FIELDS.has(field) ? words.choice(value) : value
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
