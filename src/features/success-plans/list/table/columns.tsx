import type { ReactNode } from 'react'
import type { SuccessPlan } from '../../../../../contract/schemas/success-plans.ts'
import type { TableColumn } from '../../../../ui/list/table-row.tsx'
import type { EditedField } from '../../bulk/edited-field.ts'
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
import { EditableCell } from './editable-cell.tsx'
import { planColumnMessages as messages } from './messages.ts'

type Column = Exclude<SortKey, 'updated_at'>
type Look = Omit<TableColumn<SuccessPlan>, 'key' | 'title' | 'cell'>

const isEditable = (key: Column): key is EditedField =>
  key === 'owner' || key === 'end_date' || key === 'status' || key === 'health'

const column = (
  key: Column,
  Cell: (props: { plan: SuccessPlan }) => ReactNode,
  look: Look,
): TableColumn<SuccessPlan> => ({
  key,
  title: messages[key],
  cell: (plan) =>
    isEditable(key) ? (
      <EditableCell plan={plan} field={key}>
        <Cell plan={plan} />
      </EditableCell>
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
    className: 'hidden w-32 text-ink-muted @4xl:table-cell @5xl:w-44 @min-[90rem]:w-52',
  }),
  column('status', StatusCell, { className: 'w-29' }),
  column('health', HealthCell, { className: 'w-24' }),
  column('progress', ProgressCell, { className: 'w-26 @4xl:w-41 @min-[90rem]:w-54' }),
  column('end_date', EndCell, { className: 'w-32 tabular-nums' }),
  column('owner', OwnerCell, { className: 'hidden w-28 @5xl:table-cell @min-[90rem]:w-44' }),
  column('last_update_at', LastUpdateCell, {
    className: 'hidden w-36 text-ink-muted @6xl:table-cell @min-[90rem]:w-48',
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
