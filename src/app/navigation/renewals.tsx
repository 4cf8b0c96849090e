import { lazy } from 'react'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { useAccountContext } from '../../features/accounts/use-account-context.ts'
import { RenewalsView } from '../../features/renewals/renewals-view.tsx'

const AccountPreview = lazy(async () => ({
  default: (await import('../../features/accounts/detail/account-preview.tsx')).AccountPreview,
}))
const BulkAccounts = lazy(async () => ({
  default: (await import('../../features/accounts/bulk/bulk-accounts.tsx')).BulkAccounts,
}))

/**
 * `/?renewals`, with what shows and changes the accounts. They are put together here: parts of an account use
 * those of renewals, and so cannot be imported from there.
 */
export function Renewals() {
  const context = useAccountContext()

  async function exportAccounts(accounts: readonly Account[]) {
    const { saveAccounts } = await import('../../features/accounts/accounts-csv.ts')
    await saveAccounts(accounts, context)
  }

  return <RenewalsView Preview={AccountPreview} Bulk={BulkAccounts} onExport={exportAccounts} />
}
