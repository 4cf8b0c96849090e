import type { Account } from '../../../contract/schemas/accounts.ts'
import { saveTextFile } from '../../ui/platform/save-text-file.ts'
import { writeRecords, type Cell } from '../import/csv.ts'
import { accountColumns as columns } from '../import/column-messages.ts'
import type { AccountContext } from './view.ts'
import { accountListMessages as messages } from './messages.ts'

/** The cells of an account: first what an import reads, then derived values. */
const cellsOf = (account: Account, { nameOf, plansOf }: AccountContext): [string, Cell][] => {
  const contact = account.contacts.find(({ is_primary }) => is_primary) ?? account.contacts[0]
  return [
    [columns.name.title, account.name],
    [columns.website.title, account.website],
    [columns.industry.title, account.industry],
    [columns.tier.title, account.tier],
    [columns.status.title, account.status],
    [columns.health.title, account.health],
    [columns.arr.title, account.arr],
    [columns.currency.title, account.currency],
    [columns.renewal_date.title, account.renewal_date],
    [columns.owner_id.title, nameOf(account.owner_id) ?? null],
    [columns.contact.title, contact?.name ?? null],
    [columns.contact_email.title, contact?.email ?? null],
    [columns.tags.title, account.tags.join(', ')],
    [columns.notes.title, account.notes],
    [messages.columns.plans, plansOf(account)],
    [messages.link, `${location.origin}/accounts/${account.id}`],
  ]
}

/** The accounts as CSV text with a heading row, in the given order. */
export const accountsCsv = (accounts: readonly Account[], context: AccountContext): string =>
  writeRecords(accounts.map((account) => cellsOf(account, context)))

/** Saves the accounts as a CSV file. Works offline. */
export function saveAccounts(accounts: readonly Account[], context: AccountContext): void {
  saveTextFile(messages.fileName(context.today), accountsCsv(accounts, context), 'text/csv')
}
