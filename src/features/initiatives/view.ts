// Which initiatives a list shows. Filters run on the device; the selection is in the URL.
import type { InitiativeWork } from '../../data/initiatives.ts'
import { compareText } from '../../ui/text/format.ts'

/** The filters of the list; an empty string filters nothing. */
export interface Selection {
  search: string
  status: string
  owner: string
  plan: string
}

/** Reads the selection from the search parameters. */
export const readSelection = (params: URLSearchParams): Selection => ({
  search: params.get('search') ?? '',
  status: params.get('status') ?? '',
  owner: params.get('owner') ?? '',
  plan: params.get('plan') ?? '',
})

const OVER = new Set(['completed', 'cancelled'])

/** Open initiatives by end date, then those without one, closed ones last. */
function byEnd({ initiative: a }: InitiativeWork, { initiative: b }: InitiativeWork): number {
  const over = Number(OVER.has(a.status)) - Number(OVER.has(b.status))
  if (over !== 0) return over
  const [first, second] = [a.end_date ?? '9999', b.end_date ?? '9999']
  return first === second ? compareText(a.title, b.title) : first < second ? -1 : 1
}

/** The initiatives of a selection, sorted. `titleOf` returns a plan's title. */
export function selectInitiatives(
  initiatives: readonly InitiativeWork[],
  { search, status, owner, plan }: Selection,
  titleOf: (success_plan_id: string) => string | undefined,
): InitiativeWork[] {
  const sought = search.trim().toLowerCase()
  const has = (text: string | undefined) => text?.toLowerCase().includes(sought) === true
  return initiatives
    .filter(
      ({ initiative }) =>
        (status === '' || initiative.status === status) &&
        (owner === '' || initiative.owner_id === owner) &&
        (plan === '' || initiative.success_plan_id === plan) &&
        (sought === '' || has(initiative.title) || has(titleOf(initiative.success_plan_id ?? ''))),
    )
    .toSorted(byEnd)
}
