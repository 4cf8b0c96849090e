// @vitest-environment jsdom
// Of two columns that mean the same, the second was left out where the first has text, and nothing said so.
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { chooseAccounts } from '../fixtures/import-of-accounts.tsx'

afterEach(cleanup)

test.for([
  ['Name,Sector', false],
  ['Name,Company', true],
] as const)('the columns of “%s” are shown unasked: %s', async ([headings, isShown]) => {
  await chooseAccounts(`${headings}\nAda,North\n`)
  const summary = await screen.findByText('Columns: 2 of 2 used')
  expect(summary.closest('details')?.open).toBe(isShown)
})
