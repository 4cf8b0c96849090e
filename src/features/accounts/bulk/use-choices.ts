// What can be chosen for many accounts, as the items of menus.
import {
  ACCOUNT_STATUSES,
  ACCOUNT_TIERS,
  type Account,
} from '../../../../contract/schemas/accounts.ts'
import { HEALTHS } from '../../../../contract/values.ts'
import type { MenuItem } from '../../../ui/overlay/menu-panel.tsx'
import { sharedValue, useOwnerItems } from '../../../widgets/editing/many/use-owner-items.ts'
import { accountMessages } from '../messages.ts'
import type { AccountChange, BulkField } from './change-accounts.ts'

/** The items to choose a value for `accounts`; the one that all of them have is marked. */
export function useChoices(
  accounts: readonly Account[],
  onChange: (change: AccountChange) => void,
): Record<BulkField, MenuItem[]> {
  const shared = (field: BulkField) => sharedValue(accounts, (account) => account[field])
  const items = <Value extends string>(
    field: BulkField,
    values: readonly Value[],
    changeTo: (value: Value) => AccountChange,
  ): MenuItem[] =>
    values.map((value) => ({
      label: accountMessages.enumLabel(value),
      chosen: value === shared(field),
      onSelect: () => onChange(changeTo(value)),
    }))
  return {
    owner_id: useOwnerItems(shared('owner_id'), (owner_id) => onChange({ owner_id })),
    status: items('status', ACCOUNT_STATUSES, (status) => ({ status })),
    tier: items('tier', ACCOUNT_TIERS, (tier) => ({ tier })),
    health: items('health', HEALTHS, (health) => ({ health })),
  }
}
