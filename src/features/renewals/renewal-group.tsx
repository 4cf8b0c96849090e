import { useState } from 'react'
import { Link } from 'react-router'
import { ShowMore } from '../../ui/list/show-more.tsx'
import type { SelectableRows } from '../../ui/list/bulk/bulk-selection.tsx'
import type { TableGroup } from '../../ui/list/groups.ts'
import { HealthMark, NeedsYou } from '../../widgets/status/tags.tsx'
import { GroupSection } from '../../widgets/table/group-section.tsx'
import type { OutcomeButton } from './record-outcome.tsx'
import { labelOf } from './renewal-table.tsx'
import { actionText, type DueRenewal, type NameOf } from './renewals.ts'
import { renewalMessages as messages } from './messages.ts'
import { accountPath } from '../../ui/platform/record-path.ts'

/** As many as a group shows at first. */
const SHOWN_RENEWALS = 25

interface RenewalGroupProps {
  group: TableGroup<DueRenewal>
  nameOf: NameOf
  outcome: OutcomeButton
  /** Undefined where rows have no checkboxes. */
  rows: SelectableRows['checkboxes']
}

/** The renewals of a group as cards, on a phone. */
export function RenewalGroup({ group, nameOf, outcome, rows }: RenewalGroupProps) {
  const [all, setAll] = useState(false)
  const { items } = group
  const shown = all ? items : items.slice(0, SHOWN_RENEWALS)
  return (
    <GroupSection group={group}>
      <ul className="border-t border-line">
        {shown.map((renewal) => (
          <li
            key={renewal.account.id}
            data-row={renewal.account.id}
            className="border-b border-line"
          >
            <Card renewal={renewal} nameOf={nameOf} outcome={outcome} rows={rows} />
          </li>
        ))}
      </ul>
      {items.length > shown.length && (
        <ShowMore className="mt-1" onShow={() => setAll(true)}>
          {messages.more(items.length - shown.length)}
        </ShowMore>
      )}
    </GroupSection>
  )
}

interface CardProps extends Omit<RenewalGroupProps, 'group'> {
  renewal: DueRenewal
}

const CARD = 'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1.5 py-3 text-sm'
const NAME = 'block truncate text-base font-semibold coarse:py-2.5'

/** A renewal: its account as a link and a button for the outcome, or with a checkbox that all of it toggles. */
function Card({ renewal, nameOf, outcome, rows }: CardProps) {
  const { account, day, days, risk, next, isNextLate } = renewal
  const { id, name, arr, currency, owner_id } = account
  const owner = nameOf(owner_id)
  const content = (
    <>
      <span className="col-span-2 min-w-0">
        {rows ? (
          <span dir="auto" className={NAME}>
            {name}
          </span>
        ) : (
          <Link to={accountPath(id)} dir="auto" className={`rounded-sm hover:text-accent ${NAME}`}>
            {name}
          </Link>
        )}
        <span className="block text-ink-muted">
          {owner ? messages.owner(owner) : messages.noOwner}
          {' · '}
          {next ? messages.next(actionText(next, nameOf)) : messages.noAction}
          {next?.due_date && `, ${messages.actionDue(next.due_date, isNextLate)}`}
        </span>
      </span>
      <span className="flex flex-wrap items-center gap-x-2 tabular-nums">
        <time dateTime={day} className="block whitespace-nowrap">
          {messages.day(day)}
        </time>
        {days < 0 ? (
          <NeedsYou>{messages.passedFor(-days)}</NeedsYou>
        ) : (
          <span className="text-ink-muted">{messages.inDays(days)}</span>
        )}
      </span>
      <span className="text-end font-semibold tabular-nums">
        {arr === null ? (
          <span className="font-normal text-ink-muted">{messages.noAmount}</span>
        ) : (
          messages.money(arr, currency)
        )}
      </span>
      <span>
        {risk ? (
          <HealthMark health={risk.health} />
        ) : (
          <span className="text-ink-muted">{messages.noRisk}</span>
        )}
      </span>
      <span className="justify-self-end">{!rows && outcome(account)}</span>
    </>
  )
  if (!rows) return <div className={CARD}>{content}</div>
  const isSelected = rows.selected.has(id)
  return (
    <label className={`relative ps-11 ${CARD} ${isSelected ? 'bg-accent-soft' : ''}`}>
      <input
        type="checkbox"
        data-key="x"
        className="absolute start-3 top-1/2 size-5 -translate-y-1/2"
        aria-label={labelOf(renewal)}
        checked={isSelected}
        onChange={() => rows.toggle(id, false)}
      />
      {content}
    </label>
  )
}
