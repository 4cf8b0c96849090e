// The lists that have saved views. What is stored of a view is the search part of its list's address, and
// before it the name of the list. A view without a name is one of the plans, which had views first.

/** The address of each list; the search part of a view follows. */
export const LIST_ADDRESSES = {
  plans: '/success-plans?',
  accounts: '/accounts?',
  initiatives: '/initiatives?',
  renewals: '/?renewals&',
} as const
export type ListName = keyof typeof LIST_ADDRESSES

/** The stored form of a view. */
export const storedSearch = (list: ListName, search: string): string =>
  list === 'plans' ? search : `list=${list}&${search}`

/** The list of a stored view, and its search parameters without `?`. The list may be one of a later version. */
export function readStored(stored: string): { list: string; search: string } {
  const [, list, search] = /^list=(\w+)&(.*)$/.exec(stored) ?? []
  return { list: list ?? 'plans', search: search ?? stored }
}
