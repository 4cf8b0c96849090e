// @vitest-environment jsdom
// A list of which no record could be read said that there are none yet, and offered to make the first one.
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { Component as Accounts } from '../../../src/features/accounts/list-screen.tsx'
import { accountMessages } from '../../../src/features/accounts/messages.ts'
import { Home } from '../../../src/features/home/home-screen.tsx'
import { homeMessages } from '../../../src/features/home/messages.ts'
import { Component as Plans } from '../../../src/features/success-plans/list/list-screen.tsx'
import { planMessages } from '../../../src/features/success-plans/messages.ts'
import { Component as Templates } from '../../../src/features/templates/list-screen.tsx'
import { templateMessages } from '../../../src/features/templates/messages.ts'
import { sync } from '../../../src/sync/client.ts'
import { queryClient, queryKeyOf } from '../../../src/sync/react/query-client.ts'
import { activeScope } from '../../../src/sync/react/query-options.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'

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
  vi.restoreAllMocks()
})

/** The screen where each list was read, and without a record; of `unread` one was unreadable. */
function show(Screen: () => React.ReactNode, unread?: string) {
  for (const name of ['accounts', 'success_plans', 'actions', 'templates'])
    queryClient.setQueryData(queryKeyOf(activeScope(), 'collection', name), [])
  const value = { id: 'x', path: 'name', type: 'number', reason: 'missing' } as const
  const report = {
    unread:
      unread === undefined ? [] : [{ ...value, collection: unread, leftOut: 'record' as const }],
    refused: {},
    notKept: {},
  }
  // The engine, which has no network, publishes its own state when its start goes on.
  vi.spyOn(sync().connection, 'get').mockReturnValue('online')
  vi.spyOn(sync().readReport, 'get').mockReturnValue(report)
  render(
    <MemoryRouter>
      <QueryProvider>
        <Screen />
      </QueryProvider>
    </MemoryRouter>,
  )
}

test.each([
  ['accounts', 'their list', Accounts, accountMessages],
  ['success_plans', 'their list', Plans, planMessages],
  ['success_plans', 'Home', Home, homeMessages],
  ['templates', 'their list', Templates, templateMessages],
] as const)('%s that could not be read are not none in %s', async (name, _, Screen, messages) => {
  show(Screen, name)
  await screen.findByText(messages.failedTitle)
  expect(screen.queryByText(messages.emptyTitle)).toBe(null)
  cleanup()
  show(Screen)
  await screen.findByText(messages.emptyTitle)
})
