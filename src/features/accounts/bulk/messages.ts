import type { Messages } from '../../../../contract/text/catalogue.ts'
import { isolate } from '../../../../contract/text/sentence.ts'
import { formatCount } from '../../../ui/text/format.ts'

const FIELDS = { owner_id: 'Owner', status: 'Status', tier: 'Tier', health: 'Health' }
const accountsOf = (count: number) => formatCount(count, 'account')

/** Texts about changing many accounts at once. */
export const bulkAccountMessages = {
  bar: 'Selected accounts',
  fields: FIELDS,
  accounts: accountsOf,
  nothingToChange: 'No selected account would change.',
  /** The name of a single account, the number of several. */
  changed: (field: keyof typeof FIELDS, accounts: readonly { name: string }[]) => {
    const [only] = accounts
    const named =
      accounts.length === 1 && only ? `“${isolate(only.name)}”` : accountsOf(accounts.length)
    return `${FIELDS[field]} of ${named} changed`
  },
} as const satisfies Messages
