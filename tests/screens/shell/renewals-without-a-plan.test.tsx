// @vitest-environment jsdom
// A team has imported its customers and made no plan yet: its passed renewals are not on Home.
import { cleanup, render, screen, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { Overview } from '../../../src/features/home/overview.tsx'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { firstRows } from '../../../src/ui/list/row-window.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { accountWith } from '../fixtures/record-fixtures.ts'

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

const passed = accountWith({
  id: 'harbour',
  name: 'Harbour',
  owner_id: null,
  renewal_date: '2020-03-01',
})

const show = (accounts: readonly (typeof passed)[]) =>
  render(
    <MemoryRouter>
      <QueryProvider>
        <Overview plans={[]} actions={[]} accounts={accounts} unread={undefined} />
      </QueryProvider>
    </MemoryRouter>,
  )

test('passed renewals are shown beside the invitation to make a first plan, and are the first rows', async () => {
  show([passed])
  const renewals = screen.getByRole('region', { name: /^Renewals/ })
  within(renewals).getByRole('link', { name: /Harbour/ })
  screen.getByRole('link', { name: 'Renewals by quarter' })
  screen.getByText('No success plans yet')
  expect(screen.queryByText('Plans by status')).toBeNull()
  expect(screen.queryByText('Nothing needs your attention right now')).toBeNull()
  expect(firstRows.atMs).toBeGreaterThan(0)
})

test('without an account there is the invitation only', () => {
  show([])
  screen.getByText('No success plans yet')
  expect(screen.queryByRole('link', { name: 'Renewals by quarter' })).toBeNull()
})
