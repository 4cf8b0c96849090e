// @vitest-environment jsdom
// At a server that returns no owners, a link to the own plans showed an empty list that blamed the search and filters.
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { beforeAll, expect, test, vi } from 'vitest'
import { Component as Plans } from '../../../src/features/success-plans/list/list-screen.tsx'
import { planMessages } from '../../../src/features/success-plans/messages.ts'
import { queryClient, queryKeyOf } from '../../../src/sync/react/query-client.ts'
import { activeScope } from '../../../src/sync/react/query-options.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

beforeAll(async () => {
  // jsdom measures nothing.
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  await openOffline()
})

test('a view about which the server tells nothing shows all plans', async () => {
  const plan = planWith({ title: 'Rollout', owner_id: null })
  queryClient.setQueryData(queryKeyOf(activeScope(), 'collection', 'success_plans'), [plan])
  render(
    <MemoryRouter initialEntries={['/success-plans?view=mine']}>
      <QueryProvider>
        <Plans />
      </QueryProvider>
    </MemoryRouter>,
  )
  await screen.findByRole('link', { name: /Rollout/ })
  const all = screen.getByRole('link', { name: new RegExp(`^${planMessages.views.all}`) })
  expect(all.getAttribute('aria-current')).toBe('page')
  expect(screen.queryByRole('link', { name: new RegExp(`^${planMessages.views.mine}`) })).toBe(null)
})
