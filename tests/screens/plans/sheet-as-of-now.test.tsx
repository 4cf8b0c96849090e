// @vitest-environment jsdom
// The sheet for a customer says “As of” the moment of printing, though its data was read days before.
import { act, cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { PrintSheet } from '../../../src/features/success-plans/detail/print-sheet.tsx'
import { sync } from '../../../src/sync/client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)
afterEach(cleanup)

test.each([
  [new Date(2026, 2, 2, 9, 5).getTime(), ['As of Mar 2, 2026, 09:05']],
  [null, []],
])('with data of a pull that ended at %s it says %j', async (syncedAt, words) => {
  act(() => sync().lastSyncedAt.set(syncedAt))
  render(
    <QueryProvider>
      <MemoryRouter>
        <PrintSheet plan={planWith({ title: 'Roll-out' })} />
      </MemoryRouter>
    </QueryProvider>,
  )
  await screen.findByRole('heading', { name: 'Roll-out' })
  expect(screen.queryAllByText(/^As of/).map(({ textContent }) => textContent)).toEqual(words)
})
