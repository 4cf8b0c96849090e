import { useCallback, useId, useMemo, useState, type ComponentType, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { useAccounts } from '../../data/accounts.ts'
import { useActions } from '../../data/actions.ts'
import { personText } from '../../data/organisations/person-name.ts'
import { usePeople } from '../../data/organisations/use-people.ts'
import { useToday } from '../../data/organisations/use-today.ts'
import { usePlans } from '../../data/success-plans/queries.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { BesideList } from '../../ui/list/beside-list.tsx'
import type { TableGroup } from '../../ui/list/groups.ts'
import { OpenedRecord } from '../../ui/list/opened-record.tsx'
import { useOpened } from '../../ui/list/use-preview.ts'
import { useTableRoom } from '../../ui/platform/use-desktop.ts'
import { FilteredList } from '../../widgets/screen-states/filtered-list.tsx'
import { NoData } from '../../widgets/screen-states/no-data.tsx'
import { PageHeader } from '../../widgets/screen-states/page-header.tsx'
import { HealthMark, NeedsYou } from '../../widgets/status/tags.tsx'
import { readOrder, useListAddress } from '../../widgets/table/list-address.ts'
import { useTableView } from '../../widgets/table/use-table-view.ts'
import { renewalGroupings } from './groupings.ts'
import { useRecordOutcome, type OutcomeButton } from './record-outcome.tsx'
import { RenewalFilters } from './renewal-filters.tsx'
import { RenewalTable } from './renewal-table.tsx'
import {
  actionText,
  filterRenewals,
  readRisk,
  RENEWAL_SORTS,
  renewalsOf,
  sortRenewals,
  type DueRenewal,
  type NameOf,
} from './renewals.ts'
import { renewalMessages as messages } from './messages.ts'

const NONE: readonly never[] = []

interface RenewalsViewProps {
  /** Shows an account beside the table. */
  Preview: ComponentType<{ account: Account; onClose: () => void }>
}

/** `/?renewals`: what is up for renewal, by quarter; what has passed stands first. */
export function RenewalsView({ Preview }: RenewalsViewProps) {
  const { query, accounts } = useAccounts()
  const { plans = NONE } = usePlans()
  const { actions = NONE } = useActions()
  const people = usePeople()
  const today = useToday()
  const nameOf = useCallback<NameOf>((id) => people?.get(id ?? '')?.name, [people])
  const hasRoom = useTableRoom()
  const outcome = useRecordOutcome()
  const address = useListAddress()
  const { params, search } = address
  const order = useMemo(() => readOrder(params, RENEWAL_SORTS), [params])
  const { preview, opened, close } = useOpened(accounts ?? NONE)
  const renewals = useMemo(
    () => accounts && renewalsOf({ accounts, plans, actions }, today),
    [accounts, plans, actions, today],
  )
  const found = useMemo(() => {
    const filters = {
      search,
      owner: params.get('owner') ?? '',
      risk: readRisk(params.get('risk')),
    }
    return sortRenewals(filterRenewals(renewals ?? NONE, filters, nameOf), order, nameOf)
  }, [renewals, search, params, order, nameOf])
  const groupings = useMemo(() => renewalGroupings((id) => personText(people, id)), [people])
  const { items, groups, isShown } = useTableView(params, found, groupings)
  return (
    <>
      <PageHeader
        title={messages.title}
        age={{ shows: { collection: 'accounts' } }}
        back={<BackLink to="/">{messages.back}</BackLink>}
      />
      <p className="mt-0.5 text-sm text-ink-muted">{messages.lead}</p>
      {renewals && renewals.length > 0 && (
        <>
          <RenewalFilters address={address} shown={found.length} />
          <FilteredList
            shown={found.length}
            all={renewals.length}
            messages={messages}
            clearedSearch="?renewals"
          >
            {hasRoom ? (
              <BesideList
                pane={opened && <Preview key={opened.id} account={opened} onClose={close} />}
              >
                <RenewalTable
                  renewals={items}
                  groups={groups}
                  isShown={isShown}
                  nameOf={nameOf}
                  order={order}
                  onSort={(sort) => address.set({ sort })}
                  outcome={outcome.button}
                  preview={preview}
                />
              </BesideList>
            ) : (
              <div className="mt-4 flex flex-col gap-9">
                {groups?.map((group) => (
                  <Group key={group.key} group={group} nameOf={nameOf} outcome={outcome.button} />
                ))}
              </div>
            )}
          </FilteredList>
          <OpenedRecord path="/accounts" />
        </>
      )}
      {outcome.dialog}
      {renewals?.length === 0 && (
        <Empty
          scene="clear"
          title={messages.emptyTitle}
          action={
            <Link to="/accounts" className={buttonClass()}>
              {messages.accounts}
            </Link>
          }
        >
          {messages.empty}
        </Empty>
      )}
      {!renewals && (
        <NoData
          query={query}
          collection="accounts"
          messages={messages}
          loading={<SkeletonRows label={messages.loading} table />}
        />
      )}
    </>
  )
}

/** As many as a group shows at first. */
const SHOWN_RENEWALS = 25

interface GroupProps {
  group: TableGroup<DueRenewal>
  nameOf: NameOf
  outcome: OutcomeButton
}

/** The renewals of a group as cards, on a phone. */
function Group({ group, nameOf, outcome }: GroupProps) {
  const id = useId()
  const [all, setAll] = useState(false)
  const { title, detail, items } = group
  const shown = all ? items : items.slice(0, SHOWN_RENEWALS)
  return (
    <section aria-labelledby={id}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id={id} className="flex items-baseline gap-2 text-base font-semibold">
          {title}
          <span className="text-sm font-normal text-ink-faint tabular-nums">
            {messages.number(items.length)}
          </span>
        </h2>
        <p className="text-sm text-ink-muted tabular-nums">{detail}</p>
      </div>
      <ul className="mt-1.5 border-t border-line">
        {shown.map((renewal) => (
          <li key={renewal.account.id} className="border-b border-line">
            <Card renewal={renewal} nameOf={nameOf} outcome={outcome(renewal.account)} />
          </li>
        ))}
      </ul>
      {items.length > shown.length && (
        <Button variant="quiet" className="-ms-3.5 mt-1" onClick={() => setAll(true)}>
          {messages.more(items.length - shown.length)}
        </Button>
      )}
    </section>
  )
}

interface CardProps {
  renewal: DueRenewal
  nameOf: NameOf
  outcome: ReactNode
}

function Card({ renewal, nameOf, outcome }: CardProps) {
  const { account, day, days, risk, next, isNextLate } = renewal
  const { id, name, arr, currency, owner_id } = account
  const owner = nameOf(owner_id)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1.5 py-3 text-sm">
      <span className="col-span-2 min-w-0">
        <Link
          to={`/accounts/${id}`}
          className="block truncate rounded-sm text-base font-semibold hover:text-accent coarse:py-2.5"
        >
          {name}
        </Link>
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
      <span className="justify-self-end">{outcome}</span>
    </div>
  )
}
