import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { limitsOf } from '../../../contract/roles.ts'
import { newId } from '../../sync/browser/new-id.ts'
import { createRecord } from '../../data/change-records.ts'
import { useAccounts } from '../../data/accounts.ts'
import { membersQuery } from '../../data/organisations/queries.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import {
  ACCOUNT_COLUMNS,
  accountRows,
  type AccountColumn,
  type NewAccount,
} from './account-rows.ts'
import { ImportScreen } from './import-screen.tsx'
import { withinLimit, type Table } from './table.ts'
import { accountImportMessages as messages } from './messages.ts'

const NONE: readonly never[] = []

/** `/accounts?import` */
export function ImportAccounts() {
  const organisation = useCurrentSession()?.organisation
  const { query: accountsQuery, accounts = NONE } = useAccounts()
  const membersResult = useQuery(membersQuery())
  const { data: members = NONE } = membersResult
  const { currency = 'USD', plan = '' } = organisation ?? {}
  const rowsOf = useCallback(
    (table: Table<AccountColumn>, isWhole: boolean) => {
      const rows = accountRows(table, { accounts, members, currency, isWhole })
      const most = limitsOf(plan).accounts
      if (most === null) return rows
      const message = messages.limit(most)
      return withinLimit(rows, most - accounts.length, { field: 'name', message })
    },
    [accounts, members, currency, plan],
  )
  return (
    <ImportScreen
      kindMessages={messages}
      list="/accounts"
      collection="accounts"
      columns={ACCOUNT_COLUMNS}
      required="name"
      compared={{ accounts: accountsQuery, organisation_users: membersResult }}
      rowsOf={rowsOf}
      save={saveAccount}
    />
  )
}

/** The client creates contact ids, so that they are known before the account is sent. */
const saveAccount = ({ contacts, ...account }: NewAccount) =>
  createRecord('accounts', {
    ...account,
    ...(contacts && { contacts: contacts.map((one) => ({ ...one, id: newId() })) }),
  })
