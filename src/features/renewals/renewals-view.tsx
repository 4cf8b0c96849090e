import { Suspense, useCallback, useMemo, useState, type ComponentType } from 'react'
import { Link } from 'react-router'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { useAccounts } from '../../data/accounts.ts'
import { useActions } from '../../data/actions.ts'
import { personText } from '../../data/organisations/person-name.ts'
import { usePeople } from '../../data/organisations/use-people.ts'
import { useToday } from '../../data/organisations/use-today.ts'
import { useCurrentIds, useRecordKeys } from '../../data/record-id.ts'
import { usePlans } from '../../data/success-plans/queries.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'
import { Notice } from '../../ui/display/notice.tsx'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { BesideList } from '../../ui/list/beside-list.tsx'
import type { SelectableRows, Selecting } from '../../ui/list/bulk/bulk-selection.tsx'
import { OpenedRecord } from '../../ui/list/opened-record.tsx'
import { useOpened } from '../../ui/list/use-preview.ts'
import { useTableRoom } from '../../ui/platform/use-desktop.ts'
import { FilteredList } from '../../widgets/screen-states/filtered-list.tsx'
import { NoData } from '../../widgets/screen-states/no-data.tsx'
import { PageHeader } from '../../widgets/screen-states/page-header.tsx'
import { useUnreadList } from '../../widgets/screen-states/use-unread-list.ts'
import { readOrder, useListAddress } from '../../widgets/table/list-address.ts'
import { ListMenu } from '../../widgets/table/list-menu.tsx'
import { useTableView } from '../../widgets/table/use-table-view.ts'
import { renewalGroupings } from './groupings.ts'
import { useRecordOutcome } from './record-outcome.tsx'
import { RenewalFilters } from './renewal-filters.tsx'
import { RenewalGroup } from './renewal-group.tsx'
import { RenewalTable } from './renewal-table.tsx'
import {
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
/** An account is set to churned by the outcome of its renewal, which has a form of its own. */
const BULK_FIELDS = ['owner_id', 'tier', 'health'] as const

const accountOf = ({ account }: DueRenewal) => account

interface RenewalsViewProps {
  /** Shows an account beside the table. */
  Preview: ComponentType<{ account: Account; onClose: () => void }>
  /** Selects accounts and changes them. */
  Bulk: ComponentType<
    Selecting & {
      shown: readonly Account[]
      all: readonly Account[]
      fields: readonly (keyof Account & ('owner_id' | 'tier' | 'health'))[]
      onRows: (rows: SelectableRows) => void
    }
  >
  /** Saves accounts as a file. */
  onExport: (accounts: readonly Account[]) => Promise<void>
}

/** `/?renewals`: what is up for renewal, by quarter; what has passed comes first. */
export function RenewalsView({ Preview, Bulk, onExport }: RenewalsViewProps) {
  const { query, accounts } = useAccounts()
  const { query: plansQuery, plans = NONE } = usePlans()
  const { query: actionsQuery, actions = NONE } = useActions()
  const isReading = plansQuery.isPending || actionsQuery.isPending
  const unread = useUnreadList([
    { collection: 'success_plans', query: plansQuery },
    { collection: 'actions', query: actionsQuery },
  ])
  const unreadAccounts = useUnreadList([{ collection: 'accounts', query }])
  const people = usePeople()
  const today = useToday()
  const nameOf = useCallback<NameOf>((id) => people?.get(id ?? '')?.name, [people])
  const hasRoom = useTableRoom()
  const outcome = useRecordOutcome(accounts ?? NONE)
  const [rows, setRows] = useState<SelectableRows>()
  const [isSelecting, setSelecting] = useState(false)
  const address = useListAddress()
  const { params, search } = address
  const order = useMemo(() => readOrder(params, RENEWAL_SORTS), [params])
  const { preview, opened, close } = useOpened(accounts ?? NONE, useCurrentIds())
  const keyOf = useRecordKeys('accounts')
  const renewals = useMemo(
    () => (isReading ? undefined : accounts && renewalsOf({ accounts, plans, actions }, today)),
    [isReading, accounts, plans, actions, today],
  )
  const found = useMemo(() => {
    const filters = {
      search,
      owner: params.get('owner') ?? '',
      day: params.get('day') ?? '',
      risk: readRisk(params.get('risk')),
    }
    return sortRenewals(filterRenewals(renewals ?? NONE, filters, nameOf, today), order, nameOf)
  }, [renewals, search, params, order, nameOf, today])
  const personOf = useCallback((id: string) => personText(people, id), [people])
  const groupings = useMemo(() => renewalGroupings(personOf), [personOf])
  const { items, groups, isShown } = useTableView(params, found, groupings)
  const shown = useMemo(() => items.map(accountOf), [items])
  const all = useMemo(() => renewals?.map(accountOf) ?? NONE, [renewals])
  return (
    <>
      <PageHeader
        title={messages.title}
        age={{ shows: { collection: 'accounts' } }}
        back={<BackLink to="/">{messages.back}</BackLink>}
        actions={
          all.length > 0 && (
            <ListMenu
              select={messages.select}
              onSelect={() => setSelecting(true)}
              onExport={() => onExport(shown)}
            />
          )
        }
      />
      <p className="mt-0.5 text-sm text-ink-muted">{messages.lead}</p>
      {renewals && renewals.length > 0 && (
        <>
          {unread && (
            <div className="mt-4">
              <Notice tone="warn">{messages.incomplete}</Notice>
            </div>
          )}
          <Suspense>
            <Bulk
              shown={shown}
              all={all}
              fields={BULK_FIELDS}
              isSelecting={isSelecting}
              onSelecting={setSelecting}
              onRows={setRows}
            />
          </Suspense>
          <RenewalFilters address={address} shown={found.length} />
          <FilteredList
            shown={found.length}
            all={renewals.length}
            messages={messages}
            clearedSearch="?renewals"
          >
            {hasRoom ? (
              <BesideList
                pane={opened && <Preview key={keyOf(opened.id)} account={opened} onClose={close} />}
              >
                <RenewalTable
                  renewals={items}
                  groups={groups}
                  isShown={isShown}
                  nameOf={nameOf}
                  personOf={personOf}
                  order={order}
                  onSort={(key) => address.sortBy(key, RENEWAL_SORTS)}
                  outcome={outcome.button}
                  rows={rows}
                  preview={preview}
                />
              </BesideList>
            ) : (
              <div className="mt-4 flex flex-col gap-9">
                {(groups ?? [{ key: '', title: messages.title, items }]).map((group) => (
                  <RenewalGroup
                    key={group.key}
                    group={group}
                    nameOf={nameOf}
                    outcome={outcome.button}
                    rows={rows?.checkboxes}
                  />
                ))}
              </div>
            )}
          </FilteredList>
          <OpenedRecord path="/accounts" />
        </>
      )}
      {outcome.dialog}
      {renewals?.length === 0 && !unreadAccounts && (
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
      {(!renewals || (renewals.length === 0 && unreadAccounts)) && (
        <NoData
          query={unreadAccounts?.query ?? query}
          collection="accounts"
          messages={messages}
          loading={<SkeletonRows label={messages.loading} table />}
        />
      )}
    </>
  )
}
