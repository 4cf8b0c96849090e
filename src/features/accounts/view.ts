// Which accounts the list shows and in which order. Filters run on the device; the selection is in the
// URL.
import type { Account } from '../../../contract/schemas/accounts.ts'
import { HEALTHS } from '../../../contract/values.ts'
import { memoSort, filterByText } from '../../data/list-search.ts'
import { compareText } from '../../ui/text/format.ts'

/** The orders of the list; the first is the default. */
export const SORTS = ['name', 'renewal_date', 'arr', 'health'] as const
type Sort = (typeof SORTS)[number]

interface Selection {
  search: string
  sort: Sort
}

/** Reads the selection from the search parameters; unknown values are ignored. */
export const readSelection = (params: URLSearchParams): Selection => ({
  search: params.get('search') ?? '',
  sort: SORTS.find((sort) => sort === params.get('sort')) ?? 'name',
})

const byName = (a: Account, b: Account) => compareText(a.name, b.name)
const LATEST = '9999'
const HEALTH_ORDER: readonly (string | null)[] = HEALTHS.toReversed()
/** Off track first; not rated last. */
const rank = ({ health }: Account) => {
  const at = HEALTH_ORDER.indexOf(health)
  return at === -1 ? HEALTH_ORDER.length : at
}
const ORDERS: Record<Sort, (a: Account, b: Account) => number> = {
  name: byName,
  renewal_date: (a, b) => {
    const [first, second] = [a.renewal_date ?? LATEST, b.renewal_date ?? LATEST]
    return first === second ? byName(a, b) : first < second ? -1 : 1
  },
  arr: (a, b) => (b.arr ?? -1) - (a.arr ?? -1) || byName(a, b),
  health: (a, b) => rank(a) - rank(b) || byName(a, b),
}

/** The accounts of a selection, sorted. */
export function selectAccounts(
  accounts: readonly Account[],
  { search, sort }: Selection,
): readonly Account[] {
  return filterByText(memoSort(accounts, sort, ORDERS[sort]), search, 'name', ({ name }) => [name])
}
