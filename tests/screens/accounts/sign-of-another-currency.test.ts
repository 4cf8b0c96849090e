// `$48,000` was saved as 48,000 of whatever currency the form had.
import { expect, it } from 'vitest'
import { blankAccount, checkAccount } from '../../../src/features/accounts/account-fields.ts'
import { accountFormMessages } from '../../../src/features/accounts/messages.ts'
import { outcomeMessages } from '../../../src/features/renewals/messages.ts'
import { blankOutcome, checkOutcome } from '../../../src/features/renewals/outcome-fields.ts'
import { accountWith } from '../fixtures/record-fixtures.ts'

const OWNER = '01980000-0000-7000-8000-00000000000a'
const DUE = '2026-11-20'

it.each([
  ['48,000', 'EUR', true],
  ['€48,000', 'EUR', true],
  ['$48,000', 'CAD', true],
  ['US$48,000', 'USD', true],
  ['48 000 kr', 'NOK', true],
  ['$48,000', 'EUR', false],
  ['€48,000', 'USD', false],
  ['USD 48,000', 'EUR', false],
  ['US$48,000', 'CAD', false],
])('%s with the currency %s is saved: %s', (amount, currency, isSaved) => {
  const fields = { ...blankAccount(OWNER, currency), name: 'North', arr: amount }
  expect(checkAccount(fields)).toMatchObject(
    isSaved
      ? { ok: true, value: { arr: 48_000, currency } }
      : { ok: false, errors: { arr: [accountFormMessages.otherCurrency(currency)] } },
  )
  const renewed = { ...blankOutcome(accountWith({ currency }), DUE), amount }
  expect(checkOutcome(renewed, DUE, currency)).toMatchObject(
    isSaved
      ? { ok: true, value: { amount: 48_000 } }
      : { ok: false, errors: { amount: [outcomeMessages.otherCurrency(currency)] } },
  )
})

it('the amount of a renewal that has not happened does not count', () => {
  const fields = { ...blankOutcome(accountWith(), DUE), outcome: 'moved', amount: '$48,000' }
  expect(checkOutcome(fields, DUE, 'EUR')).toMatchObject({ ok: true })
})
