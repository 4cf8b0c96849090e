import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useAccounts } from '../../data/accounts.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import { membersQuery } from '../../data/organisations/queries.ts'
import { postPastUpdate } from '../../data/success-plans/post-update.ts'
import { usePlans } from '../../data/success-plans/queries.ts'
import { useUpdatesOfPlans } from '../../data/success-plans/updates-of-plans.ts'
import { useAliases, useCapability } from '../../sync/react/use-sync.ts'
import { ImportScreen } from './import-screen.tsx'
import { UPDATE_COLUMNS, updateRows, type PastUpdate, type UpdateColumn } from './update-rows.ts'
import type { Table } from './table.ts'
import { updateImportMessages as messages } from './messages.ts'

const NONE: readonly never[] = []

/** `/success-plans?import=updates` */
export function ImportUpdates() {
  const { name = '', email = '' } = useCurrentSession()?.user ?? {}
  const { query: plansQuery, plans = NONE } = usePlans()
  const { query: accountsQuery, accounts = NONE } = useAccounts()
  const membersResult = useQuery(membersQuery())
  const { data: members = NONE } = membersResult
  const aliases = useAliases()
  const hasIds = useCapability('ids')
  const { entries, isComplete, missing } = useUpdatesOfPlans(plans)
  const updates = useMemo(() => entries?.map(({ update }) => update), [entries])
  const rowsOf = useCallback(
    (table: Table<UpdateColumn>, isWhole: boolean) =>
      updateRows(table, {
        plans,
        accounts,
        members,
        updates: updates ?? NONE,
        aliases,
        missing,
        hasIds,
        user: { name, email },
        isWhole,
      }),
    [plans, accounts, members, updates, aliases, missing, hasIds, name, email],
  )
  return (
    <ImportScreen
      kindMessages={messages}
      list="/success-plans"
      collection="success_plan_updates"
      columns={UPDATE_COLUMNS}
      required="plan_id"
      compared={{
        success_plans: plansQuery,
        accounts: accountsQuery,
        organisation_users: membersResult,
        success_plan_updates: { isPending: !isComplete },
      }}
      rowsOf={rowsOf}
      save={savePastUpdate}
    />
  )
}

const savePastUpdate = ({ plan_id, update }: PastUpdate) =>
  postPastUpdate(plan_id, { written_at: new Date().toISOString(), ...update })
