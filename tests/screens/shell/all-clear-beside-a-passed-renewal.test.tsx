// @vitest-environment jsdom
// Home said that nothing needs attention, beside a renewal that has passed.
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { addDays } from '../../../contract/schemas/days.ts'
import { Overview } from '../../../src/features/home/overview.tsx'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'
import { accountWith, planWith } from '../fixtures/record-fixtures.ts'

// jsdom has no media queries.
beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
  await openOffline()
})
afterEach(cleanup)

const CLEAR = 'Nothing needs your attention right now'
const ONLY_RENEWALS = 'Only renewals need your attention right now.'

test.each([
  [-1, ONLY_RENEWALS],
  [14, ONLY_RENEWALS],
  [16, CLEAR],
])('with a renewal in %i days and nothing else, Home says %j', (days, words) => {
  const account = accountWith({
    owner_id: 'ann',
    renewal_date: addDays(new Date().toISOString().slice(0, 10), days),
  })
  render(
    <MemoryRouter>
      <QueryProvider>
        <Overview
          plans={[planWith({ owner_id: 'bob' })]}
          actions={[]}
          accounts={[account]}
          unread={undefined}
        />
      </QueryProvider>
    </MemoryRouter>,
  )
  screen.getByRole('region', { name: /^Renewals/ })
  const said = screen.getAllByText(/need.* your attention right now/)
  expect(said.map(({ textContent }) => textContent)).toEqual([words])
})
