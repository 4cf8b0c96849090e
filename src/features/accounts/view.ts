// Which accounts the list shows and in which order. Filters run on the device; the selection is in the
// URL.
import type { Account } from '../../../contract/schemas/accounts.ts'
import { openRenewal } from '../../../contract/rules.ts'
import { HEALTHS } from '../../../contract/values.ts'
import { memoSort, filterByText } from '../../data/list-search.ts'
import { compareText } from '../../ui/text/format.ts'
import { matches, matchesDay, NONE } from '../../widgets/table/filters.ts'
import { readOrder } from '../../widgets/table/list-address.ts'

/** The columns that the list is sorted by; the first is the default. */
export const SORTS = ['name', 'tier', 'health', 'arr', 'renewal_date', 'plans', 'owner'] as const
export type Sort = (typeof SORTS)[number]

/** Renewals by date: passed, within 90 days, within two quarters, without a date. */
export const RENEWALS = ['passed', '90', '180', NONE] as const

/** The filters with one value each; empty for all. */
const FILTERS = ['status', 'tier', 'health', 'owner', 'renewal'] as const
type Filter = (typeof FILTERS)[number]

/** Search, filters and order of the list. */
export interface Selection extends Record<Filter, string> {
  search: string
  sort: Sort
  /** The opposite of the column's first direction. */
  reversed: boolean
}

/** What filters and sorting need besides the accounts. */
export interface AccountContext {
  /** The day in the organisation's time zone. */
  today: string
  nameOf: (user_id: string | null) => string | undefined
  /** The name, or what stands for it where it is not known. */
  personOf: (user_id: string) => string
  plansOf: (account: Account) => number
}

/** Reads the selection from the search parameters; an unknown column is ignored. */
export function readSelection(params: URLSearchParams): Selection {
  const filter = (name: Filter) => params.get(name) ?? ''
  return {
    search: params.get('search') ?? '',
    ...readOrder(params, SORTS),
    status: filter('status'),
    tier: filter('tier'),
    health: filter('health'),
    owner: filter('owner'),
    renewal: filter('renewal'),
  }
}

const byName = (a: Account, b: Account) => compareText(a.name, b.name)
const HEALTH_ORDER: readonly string[] = HEALTHS.toReversed()
export const TIER_ORDER: readonly string[] = ['strategic', 'standard', 'tech-touch']
/** The position in an order; undefined for other values. */
const rankIn = (order: readonly string[], value: string | null) =>
  value !== null && order.includes(value) ? order.indexOf(value) : undefined

type Value = string | number | undefined
/** What a column is sorted by. Accounts without a value come last in both directions. */
const VALUES: Record<Sort, (account: Account, context: AccountContext) => Value> = {
  name: ({ name }) => name,
  tier: ({ tier }) => rankIn(TIER_ORDER, tier),
  health: ({ health }) => rankIn(HEALTH_ORDER, health),
  arr: ({ arr }) => (arr === null ? undefined : -arr),
  renewal_date: ({ renewal_date }) => renewal_date ?? undefined,
  plans: (account, { plansOf }) => -plansOf(account),
  owner: ({ owner_id }, { nameOf }) => nameOf(owner_id),
}
/** These depend on more than the accounts, so that their order is not cached with the list. */
const DERIVED: readonly Sort[] = ['plans', 'owner']

/** The accounts in the order of a selection. */
export function sortAccounts(
  accounts: readonly Account[],
  { sort, reversed }: Pick<Selection, 'sort' | 'reversed'>,
  context: AccountContext,
): readonly Account[] {
  const sign = reversed ? -1 : 1
  const valueOf = (account: Account) => VALUES[sort](account, context)
  const compare = (a: Account, b: Account) => {
    const [first, second] = [valueOf(a), valueOf(b)]
    if (first === undefined || second === undefined)
      return Number(first === undefined) - Number(second === undefined) || byName(a, b)
    const order =
      typeof first === 'string' ? compareText(first, String(second)) : first - Number(second)
    return sign * order || byName(a, b)
  }
  if (DERIVED.includes(sort)) return accounts.toSorted(compare)
  return memoSort(accounts, reversed ? `-${sort}` : sort, compare)
}

/** The date of a churned account is never due. */
function renewsWithin(account: Account, renewal: string, today: string): boolean {
  const day = openRenewal(account)
  return day === account.renewal_date && matchesDay(renewal, day, today)
}

/** The accounts that match a selection, in the given order. */
export function filterAccounts(
  accounts: readonly Account[],
  { search, status, tier, health, owner, renewal }: Selection,
  { nameOf, today }: AccountContext,
): readonly Account[] {
  const found = filterByText(accounts, search, nameOf, (account) => [
    account.name,
    account.tier ?? undefined,
    account.industry ?? undefined,
    nameOf(account.owner_id),
    ...account.tags,
    ...account.contacts.flatMap((contact) => [contact.name, contact.email ?? undefined]),
  ])
  if ([status, tier, health, owner, renewal].every((filter) => filter === '')) return found
  return found.filter(
    (account) =>
      matches(status, account.status) &&
      matches(tier, account.tier) &&
      matches(health, account.health) &&
      matches(owner, account.owner_id) &&
      (renewal === '' || renewsWithin(account, renewal, today)),
  )
}
