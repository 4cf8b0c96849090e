// @vitest-environment jsdom
// A file that is cut off or damaged is imported as if it were whole, with half a cell or “�” in a name.
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { importMessages as messages } from '../../../src/features/import/messages.ts'
import { chooseAccounts } from '../fixtures/import-of-accounts.tsx'

afterEach(cleanup)

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
  await chooseAccounts('Name,Notes\nNorth,"one\ntwo"\nSouth,"thr')
  expect(await screen.findByText(messages.unclosedQuote(4))).toBeTruthy()
  expect(screen.queryByText(messages.previewTitle)).toBe(null)
})

test('the row in which a file ends is left out, and the others are ready', async () => {
  await chooseAccounts('Name,ARR,Notes\nNorth,1,\nSouth,2')
  expect(await results()).toEqual([
    ['3', `Name: ${messages.cutOff(2, 3)}`],
    ['2', messages.ready],
  ])
})

test.each([
  ['that ends its last row', 'Name,ARR\nNorth,1\nSouth\n'],
  ['whose rows are short anyway', 'Name,ARR\nNorth\nSouth'],
])('a file %s is not cut off', async (_, text) => {
  await chooseAccounts(text)
  expect(await results()).toEqual([
    ['2', messages.ready],
    ['3', messages.ready],
  ])
})

test('a damaged letter leaves out its row alone, and the other rows keep their letters', async () => {
  const [before, after] = ['Name,ARR\nMüller,1\nZürich', ',2\nÅlesund,3\n']
  await chooseAccounts(before, Uint8Array.from([0xc3]), after)
  expect(await results()).toEqual([
    ['3', `Name: ${messages.damagedLetter}`],
    ['2', messages.ready],
    ['4', messages.ready],
  ])
  expect(screen.getByText('Müller')).toBeTruthy()
})

test('a damaged letter in a column that is left out does no harm', async () => {
  await chooseAccounts('Name,Fax\nNorth,', Uint8Array.from([0xc3]), '5\nMüller,6\n')
  expect(await results()).toEqual([
    ['2', messages.ready],
    ['3', messages.ready],
  ])
})
