// The choices of the filters that several lists have.
import { useQuery } from '@tanstack/react-query'
import { HEALTHS, PLAN_STATUSES } from '../../../contract/values.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import { membersQuery } from '../../data/organisations/queries.ts'
import { statusMessages } from '../status/messages.ts'
import { ENDS, NONE, OPEN } from './filters.ts'
import { groupMessages } from './group-messages.ts'
import { filterMessages as messages } from './filter-messages.ts'

/** The values of a filter with their texts; that of all records first, and empty. */
export type FilterOptions = readonly (readonly [value: string, text: string])[]

const { any } = messages
const { without } = groupMessages

/** Of statuses; with those that this build does not know. */
export const statusOptions = (unknown: readonly string[] = []): FilterOptions => [
  ['', any.status],
  [OPEN, messages.open],
  ...[...PLAN_STATUSES, ...unknown].map(
    (status) => [status, statusMessages.statusOption(status)] as const,
  ),
]

export const HEALTH_OPTIONS: FilterOptions = [
  ['', any.health],
  ...HEALTHS.map((health) => [health, statusMessages.health(health)] as const),
  [NONE, without.health],
]

export const END_OPTIONS: FilterOptions = [
  ['', any.end],
  ...ENDS.map((end) => [end, messages.ends[end]] as const),
]

/** Of the members. */
export function useOwnerOptions(): FilterOptions {
  const members = useQuery(membersQuery()).data ?? []
  const user_id = useCurrentSession()?.user.id
  return [
    ['', any.owner],
    ...members.map(
      (one) => [one.user_id, one.user_id === user_id ? messages.you : one.name] as const,
    ),
    [NONE, without.owner],
  ]
}

/** Of accounts. */
export const accountOptions = (accounts: FilterOptions): FilterOptions => [
  ['', any.account],
  ...accounts,
  [NONE, without.account],
]
