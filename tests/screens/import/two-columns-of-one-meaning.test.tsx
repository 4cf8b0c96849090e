// @vitest-environment jsdom
// Of two columns that mean the same, the second was left out where the first has text, and nothing said so.
import 'fake-indexeddb/auto'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { ACCOUNT_COLUMNS } from '../../../src/features/import/account-rows.ts'
import { ImportScreen } from '../../../src/features/import/import-screen.tsx'
import { accountImportMessages } from '../../../src/features/import/messages.ts'
import { createSync } from '../../../src/sync/client.ts'

afterEach(cleanup)

test.for([
  ['Name,Sector', false],
  ['Name,Company', true],
] as const)('the columns of “%s” are shown unasked: %s', async ([headings, isShown]) => {
  createSync(() => Promise.reject(new Error('No engine.')))
  render(
    <MemoryRouter>
      <ImportScreen
        kindMessages={accountImportMessages}
        list="/accounts"
        collection="accounts"
        columns={ACCOUNT_COLUMNS}
        required="name"
        isReading={false}
        rowsOf={() => []}
        save={() => Promise.resolve('')}
      />
    </MemoryRouter>,
  )
  const file = new File([`${headings}\nAda,North\n`], 'accounts.csv', { type: 'text/csv' })
  await userEvent.upload(screen.getByLabelText('CSV file'), file)
  const summary = await screen.findByText('Columns: 2 of 2 used')
  expect(summary.closest('details')?.open).toBe(isShown)
})
