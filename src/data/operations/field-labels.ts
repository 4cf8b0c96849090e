// Display texts for field names and values, shared by forms, conflicts, validation errors and exports,
// so that a field has the same name everywhere.
import { resourceNames, resourceOf, type ResourceName } from '../../../contract/resources.ts'
import type { NameOf } from '../record-id.ts'
import { fieldNames, fieldValueMessages as words } from './field-messages.ts'
import { dayOf, fullDay } from '../../ui/text/dates.ts'
import { formatNumber, formatPercent } from '../../ui/text/format.ts'

const NAMES: Readonly<Record<string, string>> = fieldNames

/** The resource that each field with an id refers to. */
const REFERRED = new Map<string, ResourceName>([
  ...resourceNames.flatMap(
    // Safe cast: `parents` names resources.
    (name) => Object.entries(resourceOf(name).parents ?? {}) as [string, ResourceName][],
  ),
  ['owner_id', 'organisation_users'],
  ['assignee_id', 'organisation_users'],
])

/** The label of a field. For a path such as `contacts.0.email`, joins the labels without the index. */
export function fieldName(field: string): string {
  const parts = field.split('.').filter((part) => !/^\d+$/.test(part))
  const names = parts.map((part) => NAMES[part] ?? words.field(part))
  return names.join(', ').replace(/, (\p{Lu}\p{Ll})/u, (tail) => tail.toLowerCase())
}

/** The labels of those fields, for a form. */
export const fieldLabels = <Name extends string>(names: readonly Name[]): Record<Name, string> =>
  Object.fromEntries(names.map((name) => [name, fieldName(name)])) as Record<Name, string>

/**
 * A value as display text: formatted dates and numbers, names for ids, enum values as words.
 * `nameOf` returns the name of an id, or undefined if it is not on this device.
 */
export function fieldValue(field: string, value: unknown, nameOf: NameOf): string {
  if (value === null || value === undefined || value === '') return words.empty
  if (Array.isArray(value)) {
    if (value.length === 0) return words.empty
    return value.map((item) => fieldValue('', item, nameOf)).join(', ')
  }
  if (typeof value === 'object') {
    const { name, email } = value as { name?: string; email?: string }
    return name ?? email ?? words.empty
  }
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (typeof value === 'number') {
    if (field === 'progress') return formatPercent(value)
    return field === 'update_cadence_days' ? words.cadence(value) : formatNumber(value)
  }
  if (typeof value !== 'string') return words.empty
  if (field.endsWith('_id')) {
    const of = REFERRED.get(field)
    const hasLeft = of === 'organisation_users' && nameOf('former_members', value) !== undefined
    return (of && nameOf(of, value)) ?? (hasLeft ? words.formerMember : words.unknown)
  }
  if (field.endsWith('_date')) return fullDay(value.slice(0, 10))
  if (field.endsWith('_at')) return fullDay(dayOf(value))
  return ENUM_FIELDS.has(field) ? words.choice(value) : value
}

/** Fields whose values are enum values. */
const ENUM_FIELDS = new Set([
  'health',
  'outcome',
  'priority',
  'progress_mode',
  'status',
  'tier',
  'type',
])
