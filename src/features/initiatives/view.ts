// Which initiatives a list shows and in which order. Filters run on the device; the selection is in the
// URL.
import type { Initiative } from '../../../contract/schemas/initiatives.ts'
import { HEALTHS, PLAN_STATUSES } from '../../../contract/values.ts'
import type { InitiativeWork } from '../../data/initiatives.ts'
import { filterByText } from '../../data/list-search.ts'
import type { OfPlan } from '../../data/success-plans/action-rules.ts'
import { isInitiativeOpen } from '../../data/success-plans/initiative-rules.ts'
import { compareText } from '../../ui/text/format.ts'
import { matches, matchesDay, OPEN } from '../../widgets/table/filters.ts'
import { readOrder } from '../../widgets/table/list-address.ts'

/** The columns that the list is sorted by; the first is the default. */
export const SORTS = ['end_date', 'title', 'plan', 'status', 'health', 'progress', 'owner'] as const
export type Sort = (typeof SORTS)[number]

type Filter = 'status' | 'health' | 'owner' | 'account' | 'plan' | 'end'

/** Search, filters and order of the list; an empty filter leaves nothing out. */
export interface Selection extends Record<Filter, string> {
  search: string
  sort: Sort
  /** The opposite of the column's first direction. */
  reversed: boolean
}

/** What filters, sorting and groups need besides the initiatives. */
export interface InitiativeContext {
  /** The day in the organisation's time zone. */
  today: string
  /** The plan of an initiative, where it has one and the device knows it. */
  planOf: (initiative: Initiative) => OfPlan
  /** The title of a plan. */
  titleOf: (success_plan_id: string | null) => string | undefined
  nameOf: (user_id: string | null) => string | undefined
  /** The name, or what stands for it where it is not known. */
  personOf: (user_id: string) => string
  /** The id of its own account, or else that of its plan. */
  accountOf: (initiative: Initiative) => string | null
  accountNameOf: (account_id: string) => string | undefined
}

/** Reads the selection from the search parameters; an unknown column is ignored. */
export function readSelection(params: URLSearchParams): Selection {
  const filter = (name: Filter) => params.get(name) ?? ''
  return {
    search: params.get('search') ?? '',
    status: filter('status'),
    health: filter('health'),
    owner: filter('owner'),
    account: filter('account'),
    plan: filter('plan'),
    end: filter('end'),
    ...readOrder(params, SORTS),
  }
}

const STATUSES: readonly string[] = PLAN_STATUSES
const UNHEALTHY_FIRST: readonly (string | null)[] = HEALTHS.toReversed()

type Value = string | number | null | undefined
/** What a column is sorted by. Initiatives without a value come last in both directions. */
const VALUES: Record<Sort, (work: InitiativeWork, context: InitiativeContext) => Value> = {
  end_date: ({ initiative }) => initiative.end_date,
  title: ({ initiative }) => initiative.title,
  plan: ({ initiative }, { titleOf }) => titleOf(initiative.success_plan_id),
  status: ({ initiative }) => STATUSES.indexOf(initiative.status),
  health: ({ initiative: { health } }) =>
    health === null ? null : UNHEALTHY_FIRST.indexOf(health),
  progress: ({ initiative }) => -initiative.progress,
  owner: ({ initiative }, { nameOf }) => nameOf(initiative.owner_id),
}

/** The initiatives of a selection, sorted. By end date the closed ones come last. */
export function selectInitiatives(
  initiatives: readonly InitiativeWork[],
  selection: Selection,
  context: InitiativeContext,
): InitiativeWork[] {
  const { search, status, health, owner, account, plan, end, sort, reversed } = selection
  const isOpen = ({ initiative }: InitiativeWork) =>
    isInitiativeOpen(initiative, context.planOf(initiative))
  const compare = (a: InitiativeWork, b: InitiativeWork) => {
    const closed = sort === 'end_date' ? Number(isOpen(b)) - Number(isOpen(a)) : 0
    const [first, second] = [VALUES[sort](a, context) ?? null, VALUES[sort](b, context) ?? null]
    const byTitle = compareText(a.initiative.title, b.initiative.title)
    if (closed !== 0) return closed
    if (first === null || second === null)
      return Number(first === null) - Number(second === null) || byTitle
    const order =
      typeof first === 'string' ? compareText(first, String(second)) : first - Number(second)
    return (reversed ? -order : order) || byTitle
  }
  const found = filterByText(initiatives, search, context, ({ initiative }) => [
    initiative.title,
    context.titleOf(initiative.success_plan_id),
  ])
  return found
    .filter((work) => {
      const { initiative } = work
      return (
        (status === OPEN ? isOpen(work) : matches(status, initiative.status)) &&
        matches(health, initiative.health) &&
        matches(owner, initiative.owner_id) &&
        (account === '' || matches(account, context.accountOf(initiative))) &&
        matches(plan, initiative.success_plan_id) &&
        matchesDay(end, initiative.end_date, context.today)
      )
    })
    .toSorted(compare)
}
