import { FileOutput } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { Button } from '../../ui/button.tsx'
import { paramsInUrl, useUrlText } from '../../ui/form/use-url-text.ts'
import { toast } from '../../ui/overlay/toast.tsx'
import { usePeople } from '../../data/organisations/use-people.ts'
import { useToday } from '../../data/organisations/use-today.ts'
import { usePlans } from '../../data/success-plans/queries.ts'
import { FilteredList } from '../../widgets/screen-states/filtered-list.tsx'
import { AccountFilters } from './account-filters.tsx'
import { AccountList } from './account-list.tsx'
import { filterAccounts, readSelection, sortAccounts, type AccountContext } from './view.ts'
import { accountListMessages as messages, accountMessages } from './messages.ts'

/** Search, filters, export, and the accounts that match. */
export function AccountResults({ accounts }: { accounts: readonly Account[] }) {
  const [params, setParams] = useSearchParams()
  const set = (name: string, value: string) => {
    const now = paramsInUrl()
    if (value) now.set(name, value)
    else now.delete(name)
    setParams(now, { replace: true })
  }
  const selection = useMemo(() => readSelection(params), [params])
  const [search, type] = useUrlText(selection.search, (text) => set('search', text))
  const context = useAccountContext()
  const { sort, reversed } = selection
  const sorted = useMemo(
    () => sortAccounts(accounts, { sort, reversed }, context),
    [accounts, sort, reversed, context],
  )
  const shown = useMemo(
    () => filterAccounts(sorted, selection, context),
    [sorted, selection, context],
  )

  async function exportShown() {
    const { saveAccounts } = await import('./accounts-csv.ts')
    saveAccounts(shown, context)
    toast(messages.exported(shown.length))
  }

  return (
    <>
      <AccountFilters
        selection={{ ...selection, search }}
        shown={shown.length}
        onSearch={type}
        onChange={set}
        aside={
          <Button variant="quiet" className="min-h-10" onClick={() => void exportShown()}>
            <FileOutput aria-hidden />
            {messages.export}
          </Button>
        }
      />
      <FilteredList shown={shown.length} all={accounts.length} messages={accountMessages}>
        <AccountList
          accounts={shown}
          context={context}
          selection={selection}
          onSort={(key) => set('sort', key === sort && !reversed ? `-${key}` : key)}
        />
      </FilteredList>
    </>
  )
}

function useAccountContext(): AccountContext {
  const people = usePeople()
  const nameOf = useCallback((user_id: string | null) => people?.get(user_id ?? '')?.name, [people])
  const { plans } = usePlans()
  const today = useToday()
  return useMemo(() => {
    const counts = new Map<string, number>()
    for (const { account_id } of plans ?? [])
      if (account_id !== null) counts.set(account_id, (counts.get(account_id) ?? 0) + 1)
    const plansOf = ({ id, success_plans_count }: Account) =>
      plans ? (counts.get(id) ?? 0) : success_plans_count
    return { today, nameOf, plansOf }
  }, [plans, today, nameOf])
}
