import { Link } from 'react-router'
import { countActions } from '../../../contract/rules.ts'
import type { InitiativeWork } from '../../data/initiatives.ts'
import { isInitiativeOverdue } from '../../data/success-plans/initiative-rules.ts'
import { recordStateKey } from '../../data/record-states.ts'
import { LongList } from '../../ui/list/long-list.tsx'
import { RecordStateTag } from '../../widgets/editing/record-mark.tsx'
import { NeedsYou, StatusTag } from '../../widgets/status/tags.tsx'
import { idOf, planOf, type RowContext } from './initiative-table.tsx'
import { initiativeMessages as messages } from './messages.ts'

interface InitiativeListProps {
  initiatives: readonly InitiativeWork[]
  context: RowContext
}

/** Initiatives as a list of links, on a phone; only rows near the viewport are rendered. */
export function InitiativeList({ initiatives, context }: InitiativeListProps) {
  const row = (work: InitiativeWork) => <Row work={work} context={context} />
  return (
    <LongList
      label={messages.listLabel}
      items={initiatives}
      idOf={idOf}
      row={row}
      className="border-t border-line"
      rowClassName="h-25 *:h-full *:content-center"
    />
  )
}

function Row({ work, context }: { work: InitiativeWork; context: RowContext }) {
  const { initiative, actions } = work
  const { id, title, status, end_date, success_plan_id } = initiative
  const { actions_count, actions_done_count } = countActions(actions)
  return (
    <Link
      to={{ search: context.searchOf(id) }}
      data-initiative={id}
      className="group grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1 border-b border-line px-3 -outline-offset-2 hover:bg-raised"
    >
      <span className="col-span-2 flex items-center gap-x-2">
        <span className="truncate font-semibold group-hover:text-accent">{title}</span>
        <RecordStateTag state={context.states.get(recordStateKey('initiatives', id))} />
      </span>
      <span className="truncate text-sm text-ink-muted">{planOf(success_plan_id, context)}</span>
      <span className="text-end text-sm text-ink-muted tabular-nums">
        {end_date && <time dateTime={end_date}>{messages.ends(end_date)}</time>}
      </span>
      <span className="flex items-center gap-x-3 text-sm text-ink-muted">
        <StatusTag status={status} isPlain />
        <span className="tabular-nums">{messages.done(actions_done_count, actions_count)}</span>
      </span>
      <span className="text-end">
        {isInitiativeOverdue(initiative, context.planOf(initiative), context.today) && (
          <NeedsYou>{messages.overdue}</NeedsYou>
        )}
      </span>
    </Link>
  )
}
