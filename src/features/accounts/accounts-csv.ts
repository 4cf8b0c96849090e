import type { Account } from '../../../contract/schemas/accounts.ts'
import { writeRecords, type Cell } from '../import/csv.ts'
import { accountCells } from '../import/account-rows.ts'
import { saveList } from '../export/save-list.ts'
import type { AccountContext } from './view.ts'
import { accountListMessages as messages } from './messages.ts'
import { accountPath } from '../../ui/platform/record-path.ts'

/** The cells of an account: first what an import reads, then derived values. */
const cellsOf = (account: Account, { nameOf, plansOf }: AccountContext): [string, Cell][] => [
  ...accountCells(account, nameOf),
  [messages.columns.plans, plansOf(account)],
  [messages.link, `${location.origin}${accountPath(account.id)}`],
]

/** The accounts as CSV text with a heading row, in the given order. */
export const accountsCsv = (accounts: readonly Account[], context: AccountContext): string =>
  writeRecords(accounts.map((account) => cellsOf(account, context)))

/** Saves the accounts as a CSV file; see `saveList`. */
export const saveAccounts = (
  accounts: readonly Account[],
  context: AccountContext,
): Promise<void> =>
  saveList(
    'accounts',
    messages.fileName(context.today),
    (nameOf) =>
      accountsCsv(accounts, {
        ...context,
        nameOf: (id) => context.nameOf(id) ?? nameOf('organisation_users', id),
      }),
    messages.exported(accounts.length),
  )
