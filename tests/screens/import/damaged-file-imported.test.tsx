// @vitest-environment jsdom
// A file that is cut off or damaged is imported as if it were whole, with half a cell or “�” in a name.
import 'fake-indexeddb/auto'
import { cleanup, render, screen, within } from '@testing-library/react'
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

/** Chooses a file on the import of accounts. */
async function choose(...parts: BlobPart[]) {
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
  const file = new File(parts, 'accounts.csv', { type: 'text/csv' })
  await userEvent.upload(screen.getByLabelText('CSV file'), file)
}
/** The result of each row of the preview, by its number. */
async function results() {
  const preview = await screen.findByRole('region', { name: messages.preview })
  const [, ...rows] = within(preview).getAllByRole('row')
  return rows.map((row) =>
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent)
      .filter((_, column) => column !== 1),
  )
}

test('a file that ends within a quoted cell is refused, with the line on which the cell begins', async () => {
  await choose('Name,Notes\nNorth,"one\ntwo"\nSouth,"thr')
  expect(await screen.findByText(messages.unclosedQuote(4))).toBeTruthy()
  expect(screen.queryByText(messages.previewTitle)).toBe(null)
})

test('the row in which a file ends is left out, and the others are ready', async () => {
  await choose('Name,ARR,Notes\nNorth,1,\nSouth,2')
  expect(await results()).toEqual([
    ['3', `Name: ${messages.cutOff(2, 3)}`],
    ['2', messages.ready],
  ])
})

test.each([
  ['that ends its last row', 'Name,ARR\nNorth,1\nSouth\n'],
  ['whose rows are short anyway', 'Name,ARR\nNorth\nSouth'],
])('a file %s is not cut off', async (_, text) => {
  await choose(text)
  expect(await results()).toEqual([
    ['2', messages.ready],
    ['3', messages.ready],
  ])
})

test('a damaged letter leaves out its row alone, and the other rows keep their letters', async () => {
  const [before, after] = ['Name,ARR\nMüller,1\nZürich', ',2\nÅlesund,3\n']
  await choose(before, Uint8Array.from([0xc3]), after)
  expect(await results()).toEqual([
    ['3', `Name: ${messages.damagedLetter}`],
    ['2', messages.ready],
    ['4', messages.ready],
  ])
  expect(screen.getByText('Müller')).toBeTruthy()
})

test('a damaged letter in a column that is left out does no harm', async () => {
  await choose('Name,Fax\nNorth,', Uint8Array.from([0xc3]), '5\nMüller,6\n')
  expect(await results()).toEqual([
    ['2', messages.ready],
    ['3', messages.ready],
  ])
})
