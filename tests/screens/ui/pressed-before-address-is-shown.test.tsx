// @vitest-environment jsdom
// The router shows a new address a moment later. What was pressed in that moment counted from the old one: a second
// press on a heading sorted as the first had, a view dropped the filter, a hidden column came back.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { BrowserRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { AccountResults } from '../../../src/features/accounts/account-results.tsx'
import { InitiativeResults } from '../../../src/features/initiatives/initiative-results.tsx'
import { useRowContext } from '../../../src/features/initiatives/use-row-context.ts'
import { Component as PlanScreen } from '../../../src/features/success-plans/list/list-screen.tsx'
import { fetchPlanList } from '../../../src/features/success-plans/list/list-parts.ts'
import { RenewalsView } from '../../../src/features/renewals/renewals-view.tsx'
import { sync } from '../../../src/sync/client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { DisplayOptions } from '../../../src/widgets/table/display-options.tsx'
import { useListAddress } from '../../../src/widgets/table/list-address.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { accountWith, initiativeWith, planWith } from '../fixtures/record-fixtures.ts'

beforeAll(async () => {
  vi.stubGlobal('ResizeObserver', function Observer() {
    return { observe: () => undefined, disconnect: () => undefined }
  })
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  await openOffline()
  await fetchPlanList()
  const put = {
    success_plans: [planWith()],
    accounts: [accountWith({ renewal_date: new Date().toISOString().slice(0, 10) })],
    initiatives: [],
    actions: [],
  }
  await (await sync().engine()).activeReplica()?.apply({ put, deleted: [] })
})
beforeEach(() => history.replaceState(null, '', '/'))
afterEach(cleanup)

const show = (part: ReactNode) =>
  render(
    <QueryProvider>
      <BrowserRouter>{part}</BrowserRouter>
    </QueryProvider>,
  )

/** Presses each element before the router shows what the presses before have changed. */
const press = (...elements: readonly HTMLElement[]) =>
  act(() => {
    for (const element of elements) element.click()
  })

const SELECTING = { isSelecting: false, onSelecting: () => undefined }
const ACCOUNTS = [accountWith()]
const INITIATIVES = [{ initiative: initiativeWith(), actions: [], areActionsRead: true }]
const PLANS = [planWith()]

function Initiatives() {
  const context = useRowContext(PLANS)
  return (
    <InitiativeResults
      initiatives={INITIATIVES}
      plans={PLANS}
      context={context}
      viewOf={() => undefined}
      {...SELECTING}
    />
  )
}

const TABLES: Record<string, [table: () => ReactNode, heading: string, sort: string]> = {
  accounts: [() => <AccountResults accounts={ACCOUNTS} {...SELECTING} />, 'Health', 'health'],
  initiatives: [() => <Initiatives />, 'Title', 'title'],
  renewals: [
    () => <RenewalsView Preview={() => null} Bulk={() => null} onExport={async () => {}} />,
    'Account',
    'name',
  ],
  plans: [() => <PlanScreen />, 'Title', 'title'],
}

test.each(Object.entries(TABLES))(
  'two presses on a heading reverse the table of %s',
  async (_, [table, heading, sort]) => {
    show(table())
    const button = await screen.findByRole('button', { name: heading }, { timeout: 30_000 })
    press(button, button)
    expect(location.search).toBe(`?sort=-${sort}`)
  },
)

test('a view of the plans keeps the filter that was chosen right before', async () => {
  show(<PlanScreen />)
  const view = await screen.findByRole('link', { name: /^Mine/ }, { timeout: 30_000 })
  const title = screen.getByRole('button', { name: 'Title' })
  press(title, view)
  expect(location.search).toBe('?view=mine&sort=title')
  expect(view.getAttribute('aria-current')).toBe('page')
})

function Columns() {
  const { params, set } = useListAddress()
  return (
    <DisplayOptions
      group=""
      groups={{ '': 'Nothing' }}
      columns={{ owner: 'Owner', tier: 'Tier', health: 'Health' }}
      hidden={params.get('hidden') ?? ''}
      onChange={set}
    />
  )
}

test('of two columns that are hidden at once none comes back', () => {
  const { container } = show(<Columns />)
  // jsdom has no popovers.
  const opened = Object.assign(new Event('toggle'), { newState: 'open' })
  fireEvent(container.querySelector('[popover]')!, opened)
  press(...['Owner', 'Tier'].map((name) => screen.getByLabelText(name)))
  expect(new URLSearchParams(location.search).get('hidden')).toBe('owner,tier')
})
