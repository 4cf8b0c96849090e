import { memo, useMemo } from 'react'
import { Link } from 'react-router'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { daysBetween, openRenewal } from '../../../contract/rules.ts'
import type { TableGroup } from '../../ui/list/groups.ts'
import { PhoneRow } from '../../ui/list/bulk/phone-row.tsx'
import { useRowSelection } from '../../ui/list/bulk/use-row-selection.ts'
import { LongList } from '../../ui/list/long-list.tsx'
import type { SelectableRows } from '../../ui/list/bulk/bulk-selection.tsx'
import type { Preview } from '../../ui/list/row-keys.ts'
import { LongTable } from '../../ui/list/long-table.tsx'
import type { TableColumn } from '../../ui/list/table-row.tsx'
import { useTableRoom } from '../../ui/platform/use-desktop.ts'
import { useKeeps } from '../../sync/react/use-sync.ts'
import { editableColumns, type EditableColumn } from '../../widgets/cells/editable-cell.tsx'
import { OwnerName } from '../../widgets/cells/owner-name.tsx'
import { HealthMark, NeedsYou, Quiet } from '../../widgets/status/tags.tsx'
import { GroupedList } from '../../widgets/table/group-section.tsx'
import type { AccountContext, Selection, Sort } from './view.ts'
import { accountListMessages as messages, accountMessages } from './messages.ts'
import { accountPath } from '../../ui/platform/record-path.ts'

interface AccountListProps {
  accounts: readonly Account[]
  groups: readonly TableGroup<Account>[] | undefined
  /** Whether the table shows a column. */
  isShown: (column: TableColumn<Account>, at: number) => boolean
  context: AccountContext
  selection: Pick<Selection, 'sort' | 'reversed'>
  onSort: (sort: string) => void
  /** What the rows offer; undefined until it is loaded. */
  rows: SelectableRows | undefined
  preview: Preview | undefined
}

/** Accounts as a table, on a phone as cards; only rows near the viewport are rendered. */
export function AccountList(props: AccountListProps) {
  const { accounts, groups, isShown, context, selection, onSort, rows, preview } = props
  const hasRoom = useTableRoom()
  const selectable = useRowSelection(rows, accounts, idOf, labelOf)
  const edit = rows?.edit
  const keeps = useKeeps('accounts')
  const columns = useMemo(
    () => editableColumns(columnsOf(context).filter(isShown), { edit, idOf, canEdit: keeps }),
    [context, isShown, edit, keeps],
  )
  const card = (account: Account) => (
    <AccountCard account={account} today={context.today} rows={rows?.checkboxes} />
  )
  if (hasRoom)
    return (
      <LongTable
        label={messages.listLabel}
        items={accounts}
        groups={groups}
        idOf={idOf}
        columns={columns}
        sorted={{ key: selection.sort, reversed: selection.reversed }}
        onSort={onSort}
        selection={selectable}
        preview={preview}
      />
    )
  const list = (items: readonly Account[]) => (
    <LongList
      label={messages.listLabel}
      items={items}
      idOf={idOf}
      row={card}
      className="border-t border-line"
      rowClassName="h-24 *:h-full *:content-center"
    />
  )
  return groups ? <GroupedList groups={groups} list={list} /> : list(accounts)
}

const idOf = ({ id }: Account) => id
const labelOf = ({ name }: Account) => messages.selectRow(name)

type Columns = readonly (EditableColumn<Account> & { key: Sort })[]

const columnsOf = ({ today, nameOf, personOf, plansOf }: AccountContext): Columns => [
  {
    key: 'name',
    title: messages.columns.name,
    className: '',
    sort: 'ascending',
    cell: ({ id, name, industry, status }) => (
      <Link
        to={accountPath(id)}
        data-account={id}
        className="flex h-(--row) scroll-mt-24 items-center gap-x-2.5 -outline-offset-2"
      >
        <span dir="auto" className="truncate font-semibold group-hover:text-accent">
          {name}
        </span>
        {industry && (
          // Gives way before the name does.
          <span className="hidden min-w-0 shrink-99 truncate text-ink-faint @4xl:inline">
            {industry}
          </span>
        )}
        {status !== 'active' && <Quiet>{accountMessages.enumLabel(status)}</Quiet>}
      </Link>
    ),
  },
  {
    key: 'tier',
    edits: 'tier',
    title: messages.columns.tier,
    className: 'hidden w-28 @5xl:table-cell @7xl:w-44',
    sort: 'ascending',
    cell: ({ tier }) => tier && accountMessages.enumLabel(tier),
  },
  {
    key: 'health',
    edits: 'health',
    title: messages.columns.health,
    className: 'w-26 @4xl:w-28 @7xl:w-44',
    sort: 'ascending',
    cell: ({ health }) => health && <HealthMark health={health} />,
  },
  {
    key: 'arr',
    title: messages.columns.arr,
    isNumeric: true,
    className: 'w-26 @4xl:w-28',
    sort: 'descending',
    cell: ({ arr, currency }) => arr !== null && accountMessages.money(arr, currency),
  },
  {
    key: 'renewal_date',
    title: messages.columns.renewal_date,
    className: 'w-42 tabular-nums @4xl:w-48 @7xl:w-54',
    sort: 'ascending',
    cell: (account) => <RenewalDate account={account} today={today} />,
  },
  {
    key: 'plans',
    title: messages.columns.plans,
    isNumeric: true,
    className: 'hidden w-20 @4xl:table-cell',
    sort: 'descending',
    cell: (account) => messages.number(plansOf(account)),
  },
  {
    key: 'owner',
    edits: 'owner_id',
    title: messages.columns.owner,
    className: 'hidden w-36 @3xl:table-cell @7xl:w-52',
    sort: 'ascending',
    cell: ({ owner_id }) =>
      owner_id && (
        <OwnerName
          name={nameOf(owner_id)}
          instead={personOf(owner_id)}
          avatarClass="hidden @4xl:inline"
        />
      ),
  },
]

/** The date, and beside it how far away it is; marked if it has passed. Of a churned account only the date. */
function RenewalDate({ account, today }: { account: Account; today: string }) {
  const day = account.renewal_date
  if (day === null) return null
  const isOpen = openRenewal(account) !== null
  const days = daysBetween(today, day)
  if (isOpen && days < 0) return <NeedsYou>{messages.passed(day)}</NeedsYou>
  return (
    <span className="flex items-center gap-x-2">
      <time dateTime={day}>{accountMessages.day(day)}</time>
      {isOpen && days <= NEAR_DAYS && (
        <span className="hidden text-ink-muted @4xl:inline">{messages.inDays(days)}</span>
      )}
    </span>
  )
}

/** Renewals farther away show only their date. */
const NEAR_DAYS = 180

interface AccountCardProps {
  account: Account
  today: string
  /** Undefined where the card is a link. */
  rows: SelectableRows['checkboxes']
}

const CARD = 'block border-b border-line px-3 py-3'
const LINE = 'flex items-start justify-between gap-x-3'

const AccountCard = memo(function AccountCard({ account, today, rows }: AccountCardProps) {
  const { id, name, tier, industry, status, health, arr, currency } = account
  const renewal = openRenewal(account)
  const kind = [tier, industry].filter((word) => word !== null && word !== '')
  return (
    <PhoneRow
      id={id}
      selectLabel={messages.selectRow(name)}
      rows={rows}
      to={accountPath(id)}
      data-account={id}
      className={CARD}
    >
      <span className={LINE}>
        <span className="flex min-w-0 items-center gap-x-2">
          <span dir="auto" className="truncate font-semibold group-hover:text-accent">
            {name}
          </span>
          {status !== 'active' && <Quiet>{accountMessages.enumLabel(status)}</Quiet>}
        </span>
        {health && (
          <span className="shrink-0">
            <HealthMark health={health} />
          </span>
        )}
      </span>
      {kind.length > 0 && (
        <span className="block truncate text-sm text-ink-muted">
          {kind.map((word) => accountMessages.enumLabel(word ?? '')).join(' · ')}
        </span>
      )}
      {(arr !== null || renewal) && (
        <span className={`mt-1 text-sm text-ink-muted tabular-nums ${LINE}`}>
          {arr !== null && <span className="truncate">{accountMessages.money(arr, currency)}</span>}
          {renewal &&
            (renewal < today ? (
              <NeedsYou>{accountMessages.renewalPassed(renewal)}</NeedsYou>
            ) : (
              <time dateTime={renewal} className="shrink-0">
                {accountMessages.renews(renewal)}
              </time>
            ))}
        </span>
      )}
    </PhoneRow>
  )
})
