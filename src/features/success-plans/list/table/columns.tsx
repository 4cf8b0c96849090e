import type { ComponentProps, ReactNode } from 'react'
import type { SuccessPlan } from '../../../../../contract/schemas/success-plans.ts'
import type { TableColumn } from '../../../../ui/list/table-row.tsx'
import type { SortKey } from '../order.ts'
import {
  AccountCell,
  EndCell,
  HealthCell,
  LastUpdateCell,
  OwnerCell,
  ProgressCell,
  StatusCell,
  TitleCell,
} from './cells.tsx'
import { PlanCell } from './plan-cell.tsx'
import { planColumnMessages as messages } from './messages.ts'

type Column = Exclude<SortKey, 'updated_at'>
type Look = Omit<TableColumn<SuccessPlan>, 'key' | 'title' | 'cell'> & {
  /** The field that its cells edit. */
  edits?: ComponentProps<typeof PlanCell>['field']
}

const column = (
  key: Column,
  Cell: (props: { plan: SuccessPlan }) => ReactNode,
  { edits, ...look }: Look,
): TableColumn<SuccessPlan> => ({
  key,
  title: messages[key],
  cell: (plan) =>
    edits ? (
      <PlanCell plan={plan} field={edits}>
        <Cell plan={plan} />
      </PlanCell>
    ) : (
      <Cell plan={plan} />
    ),
  sort: 'ascending',
  ...look,
})

/** The columns of the table of plans. With less room the owner is the first that is not shown. */
export const PLAN_COLUMNS: readonly TableColumn<SuccessPlan>[] = [
  column('title', TitleCell, { className: '' }),
  column('account', AccountCell, {
    className: 'hidden w-32 text-ink-muted @4xl:table-cell @5xl:w-42 @min-[90rem]:w-52',
  }),
  column('status', StatusCell, { className: 'w-31', edits: 'status' }),
  column('health', HealthCell, { className: 'w-24', edits: 'health' }),
  column('progress', ProgressCell, { className: 'w-26 @4xl:w-41 @min-[90rem]:w-54' }),
  column('end_date', EndCell, { className: 'w-32 tabular-nums', edits: 'end_date' }),
  column('owner', OwnerCell, {
    className: 'hidden w-28 @5xl:table-cell @min-[90rem]:w-44',
    edits: 'owner_id',
  }),
  column('last_update_at', LastUpdateCell, {
    className: 'hidden w-38 text-ink-muted @6xl:table-cell @min-[90rem]:w-48',
    sort: 'descending',
  }),
]

/** The columns that can be left out; the others every plan has to show. */
export const HIDEABLE = ['account', 'health', 'owner', 'last_update_at'] as const

/** The columns of that list, with commas between; others are ignored. */
export const hiddenColumns = (list: string): ReadonlySet<string> => {
  const named = new Set(list.split(','))
  return new Set(HIDEABLE.filter((key) => named.has(key)))
}
