// The app took its own `950.125`, as an amount in Kuwaiti dinar, for 950,125.
import { expect, it } from 'vitest'
import { accountToFields, checkAccount } from '../../../src/features/accounts/account-fields.ts'
import {
  accountCells,
  accountRows,
  ACCOUNT_COLUMNS,
} from '../../../src/features/import/account-rows.ts'
import { parseCsv, writeCsv, writeRecords } from '../../../src/features/import/csv.ts'
import { readTable } from '../../../src/features/import/table.ts'
import { blankOutcome, checkOutcome } from '../../../src/features/renewals/outcome-fields.ts'
import { readNumber, writeNumber } from '../../../src/ui/form/read-number.ts'
import { accountWith } from '../fixtures/record-fixtures.ts'

const DUE = '2026-11-20'
const AMOUNTS = [950.125, 1.001, 12.5, 0.125, 1_200.125, 48_000, 999.9995, 0]

it.each(AMOUNTS)('%d is read as it was written', (amount) => {
  expect(readNumber(writeNumber(amount))).toBe(amount)
})

it.each(AMOUNTS)('%d comes back from the forms and the file of an account', (arr) => {
  const account = accountWith({ name: 'Souk', arr, currency: 'KWD' })
  expect(checkAccount(accountToFields(account))).toMatchObject({ value: { arr } })
  expect(checkOutcome(blankOutcome(account, DUE), DUE, 'KWD')).toMatchObject({
    value: { amount: arr },
  })
  const text = writeRecords([accountCells(account, () => null)])
  const table = readTable(parseCsv(text), ACCOUNT_COLUMNS, 'name')
  if (!table) throw new Error('No table.')
  const rows = accountRows(table, { accounts: [], members: [], currency: 'EUR', isWhole: true })
  expect(rows).toMatchObject([{ draft: { arr, currency: 'KWD' } }])
})

it('an account without an amount has an empty field, and no cell has more than it needs', () => {
  expect(accountToFields(accountWith({ arr: null })).arr).toBe('')
  expect(blankOutcome(accountWith({ arr: null }), DUE).amount).toBe('')
  expect(writeCsv([[33.333, 33, 33.3333, null, -4]])).toBe('\u{FEFF}33.3330,33,33.3333,,-4\r\n')
})
