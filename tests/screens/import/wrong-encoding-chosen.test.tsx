// @vitest-environment jsdom
// With a wrong encoding no heading is found, and the choice of another encoding was gone with the preview.
import 'fake-indexeddb/auto'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { ACCOUNT_COLUMNS, accountRows } from '../../../src/features/import/account-rows.ts'
import { ImportScreen } from '../../../src/features/import/import-screen.tsx'
import {
  accountImportMessages,
  importMessages as messages,
} from '../../../src/features/import/messages.ts'
import { createSync } from '../../../src/sync/client.ts'

afterEach(cleanup)

test('after a wrong encoding the right one can be chosen, with the focus still in the choice', async () => {
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
        rowsOf={(table) =>
          accountRows(table, { accounts: [], members: [], currency: 'EUR', isWhole: true })
        }
        save={() => Promise.resolve('')}
      />
    </MemoryRouter>,
  )
  expect(screen.queryByLabelText(messages.encoding)).toBe(null)
  const file = new File(['Name,ARR\nMüller,1\n'], 'accounts.csv', { type: 'text/csv' })
  await userEvent.upload(screen.getByLabelText(messages.file), file)
  await userEvent.selectOptions(await screen.findByLabelText(messages.encoding), 'utf-16le')
  expect(screen.getByText(messages.noRequired('Name'))).toBeTruthy()
  const encoding = screen.getByLabelText<HTMLSelectElement>(messages.encoding)
  expect([encoding.value, document.activeElement]).toEqual(['utf-16le', encoding])
  await userEvent.selectOptions(encoding, 'utf-8')
  expect(await screen.findByText('Müller')).toBeTruthy()
  expect(screen.queryByText(messages.noRequired('Name'))).toBe(null)
})
