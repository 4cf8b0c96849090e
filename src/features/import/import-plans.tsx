import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { Link, useSearchParams } from 'react-router'
import { isPlanOpen } from '../../../contract/rules.ts'
import { limitsOf } from '../../../contract/roles.ts'
import { useAccounts } from '../../data/accounts.ts'
import { membersQuery } from '../../data/organisations/queries.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import { isOnServer } from '../../data/operations/pending-edits.ts'
import { usePlans } from '../../data/success-plans/queries.ts'
import { useTemplates } from '../../data/templates.ts'
import { useCapability, useKeeps } from '../../sync/react/use-sync.ts'
import { ImportScreen } from './import-screen.tsx'
import { ImportUpdates } from './import-updates.tsx'
import { PLAN_COLUMNS, planRows, type PlanColumn } from './plan-rows.ts'
import { savePlan } from './save-plan.ts'
import { keptColumns, withinLimit, type Table } from './table.ts'
import { planImportMessages as messages } from './messages.ts'

const NONE: readonly never[] = []
const NO_USER = { name: '', email: '' }

/** `/success-plans?import`; with `?import=updates` that of their past updates. */
export function ImportPlans() {
  const [params] = useSearchParams()
  return params.get('import') === 'updates' ? <ImportUpdates /> : <OnlyPlans />
}

function OnlyPlans() {
  const { organisation, user = NO_USER } = useCurrentSession() ?? {}
  const { query: plansQuery, plans = NONE } = usePlans()
  const { query: accountsQuery, accounts = NONE } = useAccounts()
  const membersResult = useQuery(membersQuery())
  const { data: members = NONE } = membersResult
  const { query: templatesQuery, templates = NONE } = useTemplates()
  const hasTemplates = useCapability('templates')
  const columns = useMemo(
    () => keptColumns(PLAN_COLUMNS, (field) => hasTemplates || field !== 'template_id', 'title'),
    [hasTemplates],
  )
  const keeps = useKeeps('success_plans')
  const plan = organisation?.plan ?? ''
  const { name, email } = user
  const rowsOf = useCallback(
    (table: Table<PlanColumn>, isWhole: boolean) => {
      const rows = planRows(table, {
        plans,
        accounts,
        members,
        templates,
        user: { name, email },
        isUnsent: (id) => !isOnServer('success_plans', id),
        keeps,
        isWhole,
      })
      const most = limitsOf(plan).active_success_plans
      if (most === null) return rows
      const message = messages.limit(most)
      return withinLimit(rows, most - plans.filter(isPlanOpen).length, { field: 'title', message })
    },
    [plans, accounts, members, templates, name, email, plan, keeps],
  )
  return (
    <ImportScreen
      kindMessages={messages}
      list="/success-plans"
      collection="success_plans"
      columns={columns}
      required="title"
      compared={{
        success_plans: plansQuery,
        accounts: accountsQuery,
        organisation_users: membersResult,
        ...(hasTemplates && { templates: templatesQuery }),
      }}
      rowsOf={rowsOf}
      save={savePlan}
      more={
        plans.length > 0 && (
          <p>
            {messages.updatesLead}{' '}
            <Link
              to="/success-plans?import=updates"
              className="inline-flex items-center font-semibold text-accent underline-offset-4 hover:underline coarse:min-h-11"
            >
              {messages.updates}
            </Link>
          </p>
        )
      }
    />
  )
}
