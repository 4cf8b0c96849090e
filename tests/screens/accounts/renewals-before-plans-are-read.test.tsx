// @vitest-environment jsdom
// The renewals took plans and actions that were not read for none, and accounts that could not be read for no renewals.
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { renewalMessages as messages } from '../../../src/features/renewals/messages.ts'
import { RenewalsView } from '../../../src/features/renewals/renewals-view.tsx'
import { sync } from '../../../src/sync/client.ts'
import type { ServerReport } from '../../../src/sync/core/pull/read-report.ts'
import { queryClient, queryKeyOf } from '../../../src/sync/react/query-client.ts'
import { activeScope } from '../../../src/sync/react/query-options.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'
import { accountWith, planWith } from '../fixtures/record-fixtures.ts'

beforeAll(async () => {
  // jsdom has no media queries.
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
  await openOffline()
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.restoreAllMocks()
})

const ALL_READ: ServerReport = { unread: [], refused: {}, notKept: {} }
const UNREAD = {
  id: 'x',
  path: 'status',
  type: 'number',
  reason: 'missing',
  leftOut: 'record',
} as const

const due = accountWith({ id: 'harbour', name: 'Harbour', renewal_date: '2020-03-01' })

function show(lists: Record<string, object[]>, report: Partial<ServerReport> = {}) {
  // The engine, which has no network, publishes its own state when its start goes on.
  vi.spyOn(sync().connection, 'get').mockReturnValue('online')
  const stable = { ...ALL_READ, ...report }
  vi.spyOn(sync().readReport, 'get').mockReturnValue(stable)
  for (const [name, records] of Object.entries(lists))
    queryClient.setQueryData(queryKeyOf(activeScope(), 'collection', name), records)
  render(
    <MemoryRouter>
      <QueryProvider>
        <RenewalsView Preview={() => null} Bulk={() => null} onExport={() => Promise.resolve()} />
      </QueryProvider>
    </MemoryRouter>,
  )
}
const ALL = { accounts: [due], success_plans: [planWith()], actions: [] }

test('with all read there is no note', async () => {
  show(ALL)
  await screen.findByText('Harbour')
  expect(screen.queryByText(messages.incomplete)).toBe(null)
})

test.each<[string, Record<string, object[]>, Partial<ServerReport>]>([
  ['plans that are not here', { accounts: [due], actions: [] }, {}],
  ['actions that are not here', { accounts: [due], success_plans: [] }, {}],
  ['plans that are refused', ALL, { refused: { success_plans: 403 } }],
  ['an unreadable plan', ALL, { unread: [{ ...UNREAD, collection: 'success_plans' }] }],
])('beside the renewals %s are said', async (_, lists, report) => {
  show(lists, report)
  await screen.findByText(messages.incomplete)
  screen.getByText('Harbour')
})

test('at a server without actions nothing is missing', async () => {
  show({ accounts: [due], success_plans: [] }, { refused: { actions: 404 } })
  await screen.findByText('Harbour')
  expect(screen.queryByText(messages.incomplete)).toBe(null)
})

test('accounts that could not be read are not none', async () => {
  show({ ...ALL, accounts: [] }, { unread: [{ ...UNREAD, collection: 'accounts' }] })
  await screen.findByText(messages.failedTitle)
  expect(screen.queryByText(messages.emptyTitle)).toBe(null)
  cleanup()
  show({ ...ALL, accounts: [] })
  await screen.findByText(messages.emptyTitle)
})
