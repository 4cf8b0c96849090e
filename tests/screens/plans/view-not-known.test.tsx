// @vitest-environment jsdom
// At a server that returns no owners, a link to the own plans showed an empty list that blamed the search and filters,
// and the file of what the list shows was empty.
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { Component as Plans } from '../../../src/features/success-plans/list/list-screen.tsx'
import { planMessages } from '../../../src/features/success-plans/messages.ts'
import { queryClient, queryKeyOf } from '../../../src/sync/react/query-client.ts'
import { activeScope } from '../../../src/sync/react/query-options.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { saveTextFile } from '../../../src/ui/platform/save-text-file.ts'
import { listMenuMessages } from '../../../src/widgets/table/menu-messages.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'
import { waitFor } from '../../wait-for.ts'

vi.mock('../../../src/ui/platform/save-text-file.ts', () => ({ saveTextFile: vi.fn() }))

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
  // Nor has it popovers.
  Object.assign(HTMLElement.prototype, { showPopover() {}, hidePopover() {} })
  await openOffline()
})
afterEach(cleanup)

async function showOwnPlans() {
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
}

test('a view about which the server tells nothing shows all plans', async () => {
  await showOwnPlans()
  const all = screen.getByRole('link', { name: new RegExp(`^${planMessages.views.all}`) })
  expect(all.getAttribute('aria-current')).toBe('page')
  expect(screen.queryByRole('link', { name: new RegExp(`^${planMessages.views.mine}`) })).toBe(null)
})

test('the file of the list has the plans that it shows', async () => {
  for (const name of ['accounts', 'organisation_users', 'templates'])
    queryClient.setQueryData(queryKeyOf(activeScope(), 'collection', name), [])
  await showOwnPlans()
  await userEvent.click(await screen.findByRole('button', { name: listMenuMessages.more }))
  await userEvent.click(await screen.findByText(listMenuMessages.export))
  await waitFor(() => expect(saveTextFile).toHaveBeenCalled())
  expect(vi.mocked(saveTextFile).mock.lastCall?.[1]).toContain('Rollout')
})
