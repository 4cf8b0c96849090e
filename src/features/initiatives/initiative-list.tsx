import { countActions } from '../../../contract/rules.ts'
import type { InitiativeWork } from '../../data/initiatives.ts'
import { isInitiativeOverdue } from '../../data/success-plans/initiative-rules.ts'
import { recordStateKey } from '../../data/record-states.ts'
import type { SelectableRows } from '../../ui/list/bulk/bulk-selection.tsx'
import type { TableGroup } from '../../ui/list/groups.ts'
import { LongList } from '../../ui/list/long-list.tsx'
import { PhoneRow } from '../../ui/list/bulk/phone-row.tsx'
import { RecordStateTag } from '../../widgets/editing/record-mark.tsx'
import { NeedsYou, StatusTag } from '../../widgets/status/tags.tsx'
import { GroupedList } from '../../widgets/table/group-section.tsx'
import { idOf, labelOf, planOf, type RowContext } from './initiative-table.tsx'
import { initiativeMessages as messages } from './messages.ts'

interface InitiativeListProps {
  initiatives: readonly InitiativeWork[]
  groups: readonly TableGroup<InitiativeWork>[] | undefined
  context: RowContext
  /** Undefined where rows are links. */
  rows: SelectableRows['checkboxes']
}

/** Initiatives as a list of links, on a phone; only rows near the viewport are rendered. */
export function InitiativeList({ initiatives, groups, context, rows }: InitiativeListProps) {
  const row = (work: InitiativeWork) => <Row work={work} context={context} rows={rows} />
  const list = (items: readonly InitiativeWork[]) => (
    <LongList
      label={messages.listLabel}
      items={items}
      idOf={idOf}
      row={row}
      className="border-t border-line"
      rowClassName="h-25 *:h-full *:content-center"
    />
  )
  return groups ? <GroupedList groups={groups} list={list} /> : list(initiatives)
}

interface RowProps extends Omit<InitiativeListProps, 'initiatives' | 'groups'> {
  work: InitiativeWork
}

function Row({ work, context, rows }: RowProps) {
  const { initiative, actions, areActionsRead } = work
  const { id, title, status, end_date, success_plan_id } = initiative
  const { actions_count, actions_done_count } = countActions(actions)
  return (
    <PhoneRow
      id={id}
      selectLabel={labelOf(work)}
      rows={rows}
      to={{ search: context.searchOf(id) }}
      data-initiative={id}
      className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1 border-b border-line px-3"
    >
      <span className="col-span-2 flex items-center gap-x-2">
        <span dir="auto" className="truncate font-semibold group-hover:text-accent">
          {title}
        </span>
        <RecordStateTag state={context.states.get(recordStateKey('initiatives', id))} />
      </span>
      <span className="truncate text-sm text-ink-muted">{planOf(success_plan_id, context)}</span>
      <span className="text-end text-sm text-ink-muted tabular-nums">
        {end_date && <time dateTime={end_date}>{messages.ends(end_date)}</time>}
      </span>
      <span className="flex items-center gap-x-3 text-sm text-ink-muted">
        <StatusTag status={status} isPlain />
        <span className="tabular-nums">
          {areActionsRead && messages.done(actions_done_count, actions_count)}
        </span>
      </span>
      <span className="text-end">
        {isInitiativeOverdue(initiative, context.planOf(initiative), context.today) && (
          <NeedsYou>{messages.overdue}</NeedsYou>
        )}
      </span>
    </PhoneRow>
  )
}
