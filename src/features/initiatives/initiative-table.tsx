import { useMemo } from 'react'
import { Link } from 'react-router'
import { countActions, transitionsFrom } from '../../../contract/rules.ts'
import type { InitiativeWork } from '../../data/initiatives.ts'
import { isInitiativeOverdue } from '../../data/success-plans/initiative-rules.ts'
import { recordStateKey, type RecordStates } from '../../data/record-states.ts'
import { useKeeps } from '../../sync/react/use-sync.ts'
import type { TableGroup } from '../../ui/list/groups.ts'
import { LongTable } from '../../ui/list/long-table.tsx'
import type { SelectableRows } from '../../ui/list/bulk/bulk-selection.tsx'
import { useRowSelection } from '../../ui/list/bulk/use-row-selection.ts'
import type { Preview } from '../../ui/list/row-keys.ts'
import type { TableColumn } from '../../ui/list/table-row.tsx'
import { editableColumns, type EditableColumn } from '../../widgets/cells/editable-cell.tsx'
import { OwnerName } from '../../widgets/cells/owner-name.tsx'
import { RecordStateTag } from '../../widgets/editing/record-mark.tsx'
import { HealthMark, NeedsYou, StatusTag } from '../../widgets/status/tags.tsx'
import type { InitiativeContext, Selection, Sort } from './view.ts'
import { initiativeListMessages as messages, initiativeMessages } from './messages.ts'

/** What the rows need besides their initiative. */
export interface RowContext extends InitiativeContext {
  states: RecordStates
  /** The search part of the address that shows an initiative. */
  searchOf: (id: string) => string
}

interface InitiativeTableProps {
  initiatives: readonly InitiativeWork[]
  groups: readonly TableGroup<InitiativeWork>[] | undefined
  /** Whether the table shows a column. */
  isShown: (column: TableColumn<InitiativeWork>, at: number) => boolean
  context: RowContext
  selection: Pick<Selection, 'sort' | 'reversed'>
  onSort: (sort: string) => void
  /** What the rows offer; undefined until it is loaded. */
  rows: SelectableRows | undefined
  preview: Preview | undefined
}

/** Initiatives as a table; only rows near the viewport are rendered. */
export function InitiativeTable(props: InitiativeTableProps) {
  const { initiatives, groups, isShown, context, selection, onSort, rows, preview } = props
  const selectable = useRowSelection(rows, initiatives, idOf, labelOf)
  const isBeside = preview !== undefined
  const edit = rows?.edit
  const keeps = useKeeps('initiatives')
  const columns = useMemo(
    () =>
      editableColumns(columnsOf(context, isBeside).filter(isShown), {
        edit,
        idOf,
        canEdit: (field, { initiative: { status } }) =>
          keeps(field) && (field !== 'status' || transitionsFrom(status).length > 0),
      }),
    [context, isBeside, isShown, edit, keeps],
  )
  return (
    <LongTable
      label={initiativeMessages.listLabel}
      items={initiatives}
      groups={groups}
      idOf={idOf}
      columns={columns}
      sorted={{ key: selection.sort, reversed: selection.reversed }}
      onSort={onSort}
      selection={selectable}
      preview={preview}
    />
  )
}

export const idOf = ({ initiative }: InitiativeWork): string => initiative.id
export const labelOf = ({ initiative }: InitiativeWork): string =>
  messages.selectRow(initiative.title)

type Columns = readonly (EditableColumn<InitiativeWork> & { key: Sort })[]

const columnsOf = (context: RowContext, isBeside: boolean): Columns => [
  {
    key: 'title',
    title: messages.columns.title,
    className: '',
    sort: 'ascending',
    cell: ({ initiative: { id, title } }) => (
      <Link
        to={{ search: context.searchOf(id) }}
        // What is shown beside the table is no step back in the history.
        replace={isBeside}
        data-initiative={id}
        className="flex h-(--row) scroll-mt-24 items-center gap-x-2 -outline-offset-2"
      >
        <span dir="auto" className="truncate font-semibold group-hover:text-accent">
          {title}
        </span>
        <RecordStateTag state={context.states.get(recordStateKey('initiatives', id))} />
      </Link>
    ),
  },
  {
    key: 'plan',
    title: messages.columns.plan,
    className: 'hidden text-ink-muted @4xl:table-cell @4xl:w-44 @6xl:w-72 @7xl:w-auto',
    sort: 'ascending',
    cell: ({ initiative }) => planOf(initiative.success_plan_id, context),
  },
  {
    key: 'status',
    edits: 'status',
    title: messages.columns.status,
    className: 'w-30',
    sort: 'ascending',
    cell: ({ initiative }) => <StatusTag status={initiative.status} isPlain />,
  },
  {
    key: 'health',
    edits: 'health',
    title: messages.columns.health,
    className: 'hidden w-24 @6xl:table-cell',
    sort: 'ascending',
    cell: ({ initiative: { health } }) => health && <HealthMark health={health} />,
  },
  {
    key: 'progress',
    title: messages.columns.progress,
    className: 'w-21 tabular-nums',
    sort: 'descending',
    cell: ({ actions }) => {
      const { actions_count, actions_done_count } = countActions(actions)
      return actions_count > 0 && messages.done(actions_done_count, actions_count)
    },
  },
  {
    key: 'end_date',
    edits: 'end_date',
    title: messages.columns.end_date,
    className: 'w-36 tabular-nums',
    sort: 'ascending',
    cell: ({ initiative }) =>
      initiative.end_date && (
        <span className="flex items-center gap-x-2">
          <time dateTime={initiative.end_date}>{messages.day(initiative.end_date)}</time>
          {isInitiativeOverdue(initiative, context.planOf(initiative), context.today) && (
            <NeedsYou>{initiativeMessages.overdue}</NeedsYou>
          )}
        </span>
      ),
  },
  {
    key: 'owner',
    edits: 'owner_id',
    title: messages.columns.owner,
    className: 'hidden w-36 @4xl:table-cell',
    sort: 'ascending',
    cell: ({ initiative: { owner_id } }) =>
      owner_id && (
        <OwnerName name={context.nameOf(owner_id)} instead={context.personOf(owner_id)} />
      ),
  },
]

/** The title of a plan, or that there is none. */
export const planOf = (id: string | null, { titleOf }: InitiativeContext): string =>
  id === null ? initiativeMessages.noPlan : (titleOf(id) ?? initiativeMessages.unknownPlan)
