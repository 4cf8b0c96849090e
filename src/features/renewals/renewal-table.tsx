import { Link } from 'react-router'
import { useKeeps } from '../../sync/react/use-sync.ts'
import type { TableGroup } from '../../ui/list/groups.ts'
import type { SelectableRows } from '../../ui/list/bulk/bulk-selection.tsx'
import { useRowSelection } from '../../ui/list/bulk/use-row-selection.ts'
import { LongTable } from '../../ui/list/long-table.tsx'
import type { Preview } from '../../ui/list/row-keys.ts'
import type { TableColumn } from '../../ui/list/table-row.tsx'
import { editableColumns, type EditableColumn } from '../../widgets/cells/editable-cell.tsx'
import { HealthMark, NeedsYou } from '../../widgets/status/tags.tsx'
import type { OutcomeButton } from './record-outcome.tsx'
import { actionText, type DueRenewal, type NameOf, type RenewalOrder } from './renewals.ts'
import { renewalMessages as messages } from './messages.ts'
import { accountPath } from '../../ui/platform/record-path.ts'

interface RenewalTableProps {
  /** Those of the groups as well. */
  renewals: readonly DueRenewal[]
  groups: readonly TableGroup<DueRenewal>[] | undefined
  /** Whether the table shows a column. */
  isShown: (column: TableColumn<DueRenewal>, at: number) => boolean
  nameOf: NameOf
  /** The name, or what stands for it where it is not known. */
  personOf: (user_id: string) => string
  order: RenewalOrder
  onSort: (sort: string) => void
  outcome: OutcomeButton
  /** What the rows offer; undefined until it is loaded. */
  rows: SelectableRows | undefined
  preview: Preview | undefined
}

/** Renewals as a table. */
export function RenewalTable(props: RenewalTableProps) {
  const { renewals, groups, isShown, order, onSort, rows, preview } = props
  const { sort, reversed } = order
  const selection = useRowSelection(rows, renewals, idOf, labelOf)
  const keeps = useKeeps('accounts')
  return (
    <LongTable
      label={messages.table}
      items={renewals}
      groups={groups}
      idOf={idOf}
      columns={editableColumns(columnsOf(props).filter(isShown), {
        edit: rows?.edit,
        idOf,
        canEdit: keeps,
      })}
      sorted={{ key: sort, reversed }}
      onSort={onSort}
      selection={selection}
      preview={preview}
    />
  )
}

const idOf = ({ account }: DueRenewal) => account.id
export const labelOf = ({ account }: DueRenewal): string => messages.selectRow(account.name)

type Columns = readonly EditableColumn<DueRenewal>[]

const columnsOf = ({ nameOf, personOf, outcome }: RenewalTableProps): Columns => [
  {
    key: 'name',
    title: messages.columns.name,
    // Next actions have longer texts.
    className: '@5xl:w-50',
    sort: 'ascending',
    cell: ({ account: { id, name } }) => (
      <Link
        to={accountPath(id)}
        className="flex h-(--row) scroll-mt-24 items-center -outline-offset-2"
      >
        <span dir="auto" className="truncate font-semibold group-hover:text-accent">
          {name}
        </span>
      </Link>
    ),
  },
  {
    key: 'day',
    title: messages.columns.day,
    className: 'w-48 tabular-nums',
    sort: 'ascending',
    cell: ({ day, days }) => (
      <span className="flex items-center gap-x-2">
        <time dateTime={day}>{messages.day(day)}</time>
        {days < 0 ? (
          <NeedsYou>{messages.passedFor(-days)}</NeedsYou>
        ) : (
          <span className="text-ink-muted">{messages.inDays(days)}</span>
        )}
      </span>
    ),
  },
  {
    key: 'amount',
    title: messages.columns.amount,
    isNumeric: true,
    className: 'w-24',
    sort: 'descending',
    cell: ({ account: { arr, currency } }) => arr !== null && messages.money(arr, currency),
  },
  {
    // Also of the plans of the account: its own health is changed where it is shown.
    key: 'risk',
    title: messages.columns.risk,
    className: 'w-24',
    sort: 'descending',
    cell: ({ risk }) => risk && <HealthMark health={risk.health} />,
  },
  {
    key: 'owner',
    edits: 'owner_id',
    title: messages.columns.owner,
    className: 'hidden w-28 @4xl:table-cell',
    sort: 'ascending',
    cell: ({ account: { owner_id } }) => owner_id && personOf(owner_id),
  },
  {
    key: 'next',
    title: messages.columns.next,
    className: 'hidden @5xl:table-cell',
    cell: ({ account, next, isNextLate }) =>
      next && (
        <span className="flex gap-x-3">
          {/* Mostly the owner of the account, who has a column. */}
          <span className="truncate">
            {next.assignee_id === account.owner_id && next.assignee_id !== null
              ? next.title
              : actionText(next, nameOf)}
          </span>
          {next.due_date && (
            <time
              dateTime={next.due_date}
              className={`ms-auto shrink-0 tabular-nums ${isNextLate ? 'text-glow-ink' : 'text-ink-muted'}`}
            >
              {messages.actionDueShort(next.due_date, isNextLate)}
            </time>
          )}
        </span>
      ),
  },
  {
    key: 'outcome',
    title: messages.columns.outcome,
    className: 'w-32',
    // What has passed waits for its outcome; a column of equal buttons would hide that.
    cell: ({ account, days }) =>
      outcome(account, {
        variant: days < 0 ? 'secondary' : 'quiet',
        className: '-ms-2 h-6 min-h-0! rounded-sm! px-2! text-xs coarse:h-9',
      }),
  },
]
