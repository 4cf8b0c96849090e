// @vitest-environment jsdom
// An initiative of a plan that is over is marked as overdue.
import { cleanup, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { blankRecords } from '../../../contract/resource-schemas.ts'
import type { PlanStatus } from '../../../contract/values.ts'
import { InitiativeCard } from '../../../src/features/initiatives/initiative-card.tsx'
import { InitiativeList } from '../../../src/features/initiatives/initiative-list.tsx'
import { InitiativeTable } from '../../../src/features/initiatives/initiative-table.tsx'
import { InitiativePage } from '../../../src/features/initiatives/initiative-view.tsx'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

beforeAll(async () => {
  vi.stubGlobal('ResizeObserver', function Observer() {
    return { observe: () => undefined, disconnect: () => undefined }
  })
  await openOffline()
})
afterEach(cleanup)

const TODAY = '2026-03-10'

function propsOf(status: PlanStatus) {
  const plan = planWith({ status, end_date: null })
  const initiative = {
    ...blankRecords.initiatives,
    id: 'launch',
    title: 'Launch',
    status: 'in-progress' as const,
    end_date: '2026-03-09',
    success_plan_id: plan.id,
  }
  const context = {
    today: TODAY,
    states: new Map(),
    planOf: () => plan,
    titleOf: () => plan.title,
    nameOf: () => undefined,
    personOf: (id: string) => id,
    accountOf: () => null,
    accountNameOf: () => undefined,
    searchOf: () => '',
  }
  const work = { initiative, actions: [], areActionsRead: true }
  return { context, plan, work, initiatives: [work], contacts: [] }
}
type Props = ReturnType<typeof propsOf>

const SCREENS: Record<string, (props: Props) => ReactNode> = {
  list: (props) => <InitiativeList {...props} groups={undefined} rows={undefined} />,
  table: (props) => (
    <InitiativeTable
      {...props}
      groups={undefined}
      isShown={() => true}
      selection={{ sort: 'end_date', reversed: false }}
      onSort={() => undefined}
      rows={undefined}
      preview={undefined}
    />
  ),
  'screen of its own': (props) => (
    <InitiativePage {...props} plans={[]} onClose={() => undefined} back="/initiatives" />
  ),
  'page of the plan': (props) => (
    <InitiativeCard {...props} owner={undefined} today={TODAY} states={new Map()} opened />
  ),
}

test.for(
  Object.keys(SCREENS).flatMap((name) =>
    (
      [
        ['in-progress', 1],
        ['paused', 1],
        ['completed', 0],
        ['cancelled', 0],
      ] as const
    ).map(([status, times]) => [name, status, times] as const),
  ),
)(
  'on the %s, a late initiative of a plan that is %s is marked %i times',
  ([name, status, times]) => {
    render(
      <MemoryRouter>
        <QueryProvider>{SCREENS[name]?.(propsOf(status))}</QueryProvider>
      </MemoryRouter>,
    )
    expect(screen.getAllByText('Launch').length).toBeGreaterThan(0)
    expect(screen.queryAllByText(/overdue/i)).toHaveLength(times)
  },
)
