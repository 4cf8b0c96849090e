import { ACCOUNT_STATUSES, ACCOUNT_TIERS } from '../../../contract/schemas/accounts.ts'
import { filterMessages } from '../../widgets/table/filter-messages.ts'
import { HEALTH_OPTIONS, useOwnerOptions } from '../../widgets/table/filter-options.ts'
import { NONE } from '../../widgets/table/filters.ts'
import type { ListAddress } from '../../widgets/table/list-address.ts'
import { ListControls } from '../../widgets/table/list-controls.tsx'
import { RENEWALS, SORTS } from './view.ts'
import { accountListMessages as messages, accountMessages } from './messages.ts'

interface AccountFiltersProps {
  address: ListAddress
  /** Number of accounts that match. */
  shown: number
}

const labelled = (values: readonly string[]) =>
  values.map((value) => [value, accountMessages.enumLabel(value)] as const)

/** Search and filters above the accounts. */
export function AccountFilters(props: AccountFiltersProps) {
  const owners = useOwnerOptions()
  return (
    <ListControls
      {...props}
      list="accounts"
      messages={messages}
      sorts={SORTS}
      filters={{
        status: {
          label: filterMessages.status,
          options: [['', filterMessages.any.status], ...labelled(ACCOUNT_STATUSES)],
        },
        tier: {
          label: messages.columns.tier,
          options: [['', messages.anyTier], ...labelled(ACCOUNT_TIERS), [NONE, messages.noTier]],
        },
        health: { label: filterMessages.health, options: HEALTH_OPTIONS },
        owner: { label: filterMessages.owner, options: owners },
        renewal: {
          label: messages.columns.renewal_date,
          options: [
            ['', messages.anyRenewal],
            ...RENEWALS.map((value) => [value, messages.renewals[value]] as const),
          ],
        },
      }}
    />
  )
}
