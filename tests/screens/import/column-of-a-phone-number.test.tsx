// @vitest-environment jsdom
// The preview named the column of the contact’s name for a phone number that is not valid.
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ACCOUNT_COLUMNS } from '../../../src/features/import/account-rows.ts'
import { importMessages as messages } from '../../../src/features/import/messages.ts'
import { chooseAccounts } from '../fixtures/import-of-accounts.tsx'

afterEach(cleanup)

const LONG = '1'.repeat(300)

test.each([
  ['contact', `${LONG},a@n.test,1`],
  ['contact_email', 'Ann,none,1'],
  ['contact_phone', `Ann,a@n.test,${LONG}`],
] as const)('what is wrong in the column “%s” is said of that one', async (column, cells) => {
  await chooseAccounts(`Name,Contact,Contact email,Contact phone\nNorth,${cells}\n`)
  const preview = await screen.findByRole('region', { name: messages.preview })
  const [wrong] = within(preview).getAllByRole('listitem')
  expect(wrong?.textContent).toMatch(new RegExp(`^${ACCOUNT_COLUMNS[column].title}: `))
})
