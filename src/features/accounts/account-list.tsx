import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { Link } from 'react-router'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { Avatar } from '../../ui/display/avatar.tsx'
import { LongList } from '../../ui/list/long-list.tsx'
import { membersByUserQuery } from '../../data/organisations/queries.ts'
import { HealthMark } from '../../widgets/status/tags.tsx'
import { accountMessages as messages } from './messages.ts'

interface AccountListProps {
  accounts: readonly Account[]
  planCounts: ReadonlyMap<string, number>
}

/** Accounts as a list of links; only rows near the viewport are rendered. */
export function AccountList({ accounts, planCounts }: AccountListProps) {
  const members = useQuery(membersByUserQuery()).data
  const row = (account: Account) => (
    <AccountRow
      account={account}
      plans={planCounts.get(account.id) ?? account.success_plans_count}
      owner={members?.get(account.owner_id ?? '')?.name}
    />
  )
  return (
    <LongList
      label={messages.listLabel}
      items={accounts}
      idOf={idOf}
      row={row}
      className="@container border-t border-line"
      rowClassName="h-24 @4xl:h-18 *:h-full *:content-center"
    />
  )
}

const idOf = ({ id }: Account) => id

interface AccountRowProps {
  account: Account
  plans: number
  owner: string | undefined
}

const AccountRow = memo(function AccountRow({ account, plans, owner }: AccountRowProps) {
  const kind = [account.tier, account.industry]
    .filter(Boolean)
    .map((word) => messages.enumLabel(word ?? ''))
  return (
    <Link
      to={`/accounts/${account.id}`}
      data-account={account.id}
      className="group grid min-h-18 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-b border-line px-3 py-3 -outline-offset-2 hover:bg-raised sm:px-4 @4xl:grid-cols-[minmax(0,1fr)_7.5rem_7rem_8rem_5rem_2rem]"
    >
      <span className="min-w-0">
        <span className="block truncate font-semibold group-hover:text-accent">{account.name}</span>
        <span className="block truncate text-sm text-ink-muted">
          {kind.join(' · ') || messages.enumLabel(account.status)}
        </span>
      </span>
      <span className="justify-self-end @4xl:justify-self-start">
        {account.health && <HealthMark health={account.health} />}
      </span>
      <span className="text-sm text-ink-muted tabular-nums @4xl:text-end @4xl:text-ink">
        {account.arr !== null && messages.money(account.arr, account.currency)}
      </span>
      <span className="justify-self-end text-sm text-ink-muted tabular-nums">
        {account.renewal_date && (
          <time dateTime={account.renewal_date}>{messages.renews(account.renewal_date)}</time>
        )}
      </span>
      <span className="hidden text-end text-sm text-ink-muted tabular-nums @4xl:block">
        {messages.plans(plans)}
      </span>
      <span className="hidden justify-self-end @4xl:block">
        {owner && (
          <span title={messages.ownedBy(owner)}>
            <Avatar name={owner} size="small" />
            <span className="sr-only">{messages.ownedBy(owner)}</span>
          </span>
        )}
      </span>
    </Link>
  )
})
