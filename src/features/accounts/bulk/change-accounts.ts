import { endpoints } from '../../../../contract/endpoints.ts'
import type { Account, AccountEdit } from '../../../../contract/schemas/accounts.ts'
import { toast } from '../../../ui/overlay/toast.tsx'
import { changeMany } from '../../../widgets/editing/many/change-many.ts'
import { bulkAccountMessages as messages } from './messages.ts'

/** The fields that can be changed for many accounts at once. */
export type BulkField = 'owner_id' | 'status' | 'tier' | 'health'

/** A new value of one field. */
export type AccountChange = { [Field in BulkField]: Required<Pick<AccountEdit, Field>> }[BulkField]

const fieldOf = (change: AccountChange) => Object.keys(change)[0] as BulkField

/** The accounts whose field does not have the value yet. */
function changedAccounts(accounts: readonly Account[], change: AccountChange): Account[] {
  const field = fieldOf(change)
  const after: Partial<AccountEdit> = change
  return accounts.filter((account) => account[field] !== after[field])
}

/**
 * Changes accounts, each by an operation of its own, and offers one undo for all of them. Resolves when all
 * are durable on this device, rejects when storage fails. `onUndone` is called after an undo.
 */
export async function changeAccounts(
  accounts: readonly Account[],
  change: AccountChange,
  onUndone?: () => void,
): Promise<void> {
  const changed = changedAccounts(accounts, change)
  if (changed.length === 0) return toast(messages.nothingToChange)
  return await changeMany(
    changed.map((account) => ({
      row: endpoints.updateAccount,
      input: { path: { id: account.id }, body: change },
      seen: account,
    })),
    {
      changed: messages.changed(fieldOf(change), changed),
      countOf: messages.accounts,
      onUndone,
    },
  )
}
