// Plans of a table in groups, each with its heading. Pure.
import type { SuccessPlan } from '../../../../../contract/schemas/success-plans.ts'
import { HEALTHS, PLAN_STATUSES } from '../../../../../contract/values.ts'
import type { NameOf } from '../../../../data/record-id.ts'
import type { TableGroup } from '../../../../ui/list/groups.ts'
import { compareText } from '../../../../ui/text/format.ts'
import { statusMessages } from '../../../../widgets/status/messages.ts'
import type { Group } from '../view.ts'
import { groupMessages as messages } from './messages.ts'

type Kind = Exclude<Group, ''>

const KEYS: Record<Kind, (plan: SuccessPlan) => string | null> = {
  status: ({ status }) => status,
  health: ({ health }) => health,
  owner: ({ owner_id }) => owner_id,
  account: ({ account_id }) => account_id,
  month: ({ end_date }) => end_date?.slice(0, 7) ?? null,
}

function titleOf(kind: Kind, key: string | null, nameOf: NameOf): string {
  if (kind === 'status') return statusMessages.statusOption(key ?? '')
  if (key === null) return messages.without[kind]
  if (kind === 'health') return statusMessages.health(key)
  if (kind === 'month') return messages.month(key)
  return kind === 'owner'
    ? (nameOf('organisation_users', key) ?? messages.former)
    : (nameOf('accounts', key) ?? messages.unknown)
}

const KNOWN: Partial<Record<Kind, readonly string[]>> = {
  status: PLAN_STATUSES,
  health: HEALTHS.toReversed(),
}

/** The plans in groups; in each the order stays. Groups without a value come last. */
export function groupPlans(
  plans: readonly SuccessPlan[],
  kind: Group,
  nameOf: NameOf,
): readonly TableGroup<SuccessPlan>[] | undefined {
  if (kind === '') return undefined
  const order = KNOWN[kind]
  const rank = (key: string | null) =>
    key === null ? Infinity : order?.includes(key) ? order.indexOf(key) : (order?.length ?? 0)
  const groups = [...Map.groupBy(plans, KEYS[kind])].map(([key, items]) => ({
    value: key,
    key: key ?? '',
    title: titleOf(kind, key, nameOf),
    items,
  }))
  return groups.toSorted((a, b) => {
    const [first, second] = [rank(a.value), rank(b.value)]
    if (first !== second) return first - second
    return kind === 'month' ? (a.key < b.key ? -1 : 1) : compareText(a.title, b.title)
  })
}
