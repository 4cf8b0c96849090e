import { ACCOUNT_STATUSES, ACCOUNT_TIERS } from '../../../contract/schemas/accounts.ts'
import { HEALTHS } from '../../../contract/values.ts'
import type { ListAddress } from '../../widgets/table/list-address.ts'
import { ListControls, useOwnerOptions } from '../../widgets/table/list-controls.tsx'
import { NONE, RENEWALS, SORTS } from './view.ts'
import { accountListMessages as messages, accountMessages } from './messages.ts'

interface AccountFiltersProps {
  address: ListAddress
  /** Number of accounts that match. */
  shown: number
}

const labelled = (values: readonly string[]) =>
  values.map((value) => [value, accountMessages.enumLabel(value)] as const)

/** What stands above the accounts. */
export function AccountFilters(props: AccountFiltersProps) {
  const { any, filterLabels, without } = messages
  const owners = useOwnerOptions(any.owner, without.owner)
  return (
    <ListControls
      {...props}
      list="accounts"
      messages={messages}
      sorts={SORTS}
      filters={{
        status: {
          label: filterLabels.status,
          options: [['', any.status], ...labelled(ACCOUNT_STATUSES)],
        },
        tier: {
          label: filterLabels.tier,
          options: [['', any.tier], ...labelled(ACCOUNT_TIERS), [NONE, without.tier]],
        },
        health: {
          label: filterLabels.health,
          options: [['', any.health], ...labelled(HEALTHS), [NONE, without.health]],
        },
        owner: { label: filterLabels.owner, options: owners },
        renewal: {
          label: filterLabels.renewal,
          options: [
            ['', any.renewal],
            ...RENEWALS.map((value) => [value, messages.renewals[value]] as const),
          ],
        },
      }}
    />
  )
}
