// @vitest-environment jsdom
// The sheet for a customer says “As of” the moment of printing, though its data was read days before, or
// could not be read then.
import { act, cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
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

test('of a plan that the last pull could not read it says no time', async () => {
  const [plan, other] = [planWith({ title: 'Roll-out' }), planWith({ id: 'other' })]
  const unread = { path: 'status', type: 'number', reason: 'text', leftOut: 'record' } as const
  vi.spyOn(sync().readReport, 'get').mockReturnValue({
    unread: [{ ...unread, collection: 'success_plans', id: plan.id }],
    refused: {},
    notKept: {},
  })
  vi.spyOn(sync().lastSyncedAt, 'get').mockReturnValue(1_772_700_000_000)
  const show = (one: typeof plan) =>
    render(
      <QueryProvider>
        <MemoryRouter>
          <PrintSheet plan={one} />
        </MemoryRouter>
      </QueryProvider>,
    )
  show(plan)
  await screen.findByRole('heading', { name: 'Roll-out' })
  expect(screen.queryByText(/^As of/)).toBe(null)
  show(other)
  expect(screen.queryByText(/^As of/)).not.toBe(null)
})
