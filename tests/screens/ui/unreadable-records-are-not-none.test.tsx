// @vitest-environment jsdom
// A list of which no record could be read, or had arrived yet, said that there are none, and offered to make the first.
// One whose other pages could not be read was a skeleton for ever.
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { Component as Accounts } from '../../../src/features/accounts/list-screen.tsx'
import { accountMessages } from '../../../src/features/accounts/messages.ts'
import { Home } from '../../../src/features/home/home-screen.tsx'
import { homeMessages } from '../../../src/features/home/messages.ts'
import { Component as Initiatives } from '../../../src/features/initiatives/list-screen.tsx'
import { initiativeMessages } from '../../../src/features/initiatives/messages.ts'
import { PlanInitiatives } from '../../../src/features/initiatives/plan-initiatives.tsx'
import { Component as Plans } from '../../../src/features/success-plans/list/list-screen.tsx'
import { planMessages } from '../../../src/features/success-plans/messages.ts'
import { reviewMessages } from '../../../src/features/success-plans/review/messages.ts'
import { Review } from '../../../src/features/success-plans/review/review.tsx'
import { Component as Templates } from '../../../src/features/templates/list-screen.tsx'
import { templateMessages } from '../../../src/features/templates/messages.ts'
import { sync } from '../../../src/sync/client.ts'
import { queryClient, queryKeyOf } from '../../../src/sync/react/query-client.ts'
import { activeScope } from '../../../src/sync/react/query-options.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

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

/**
 * The screen where each list was read, and without a record; of `unread` one was unreadable, and of `partial` the first
 * page was read, and of `missed` the next one could not be.
 */
function show(
  Screen: () => React.ReactNode,
  unread?: string,
  partial: string[] = [],
  missed: string[] = [],
) {
  const lists = ['accounts', 'success_plans', 'actions', 'templates', 'initiatives'] as const
  for (const name of [...lists, 'organisation_users'])
    queryClient.setQueryData(queryKeyOf(activeScope(), 'collection', name), [])
  const value = { id: 'x', path: 'name', type: 'number', reason: 'missing' } as const
  const report = {
    unread:
      unread === undefined ? [] : [{ ...value, collection: unread, leftOut: 'record' as const }],
    refused: {},
    notKept: {},
    partial,
    missed,
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

const OfPlan = () => <PlanInitiatives plan={planWith()} contacts={[]} today="2026-03-10" />
const SCREENS = [
  ['accounts', 'their list', Accounts, accountMessages],
  ['success_plans', 'their list', Plans, planMessages],
  ['success_plans', 'Home', Home, homeMessages],
  ['templates', 'their list', Templates, templateMessages],
  ['initiatives', 'their list', Initiatives, initiativeMessages],
  ['initiatives', 'their plan', OfPlan, initiativeMessages],
] as const

test.each(SCREENS)(
  '%s that could not be read are not none in %s',
  async (name, _, Screen, messages) => {
    show(Screen, name)
    await screen.findByText(messages.failedTitle)
    expect(screen.queryByText(messages.emptyTitle)).toBe(null)
    cleanup()
    show(Screen)
    await screen.findByText(messages.emptyTitle)
  },
)

test.each(SCREENS)(
  '%s that are being downloaded are not none in %s',
  async (name, _, Screen, messages) => {
    show(Screen, undefined, [name])
    await screen.findByText(messages.loading)
    expect(screen.queryByText(messages.emptyTitle)).toBe(null)
  },
)

test.each(SCREENS)(
  '%s whose other pages could not be read can be read again in %s',
  async (name, _, Screen, messages) => {
    show(Screen, undefined, [name], [name])
    const pull = vi.spyOn(sync(), 'pull').mockResolvedValue()
    await userEvent.click(await screen.findByRole('button', { name: messages.retry }))
    screen.getByText(messages.failedTitle)
    expect(pull).toHaveBeenCalledOnce()
  },
)

test.each([
  ['are still arriving', []],
  ['could not all be read', ['initiatives']],
])('an initiative can be added to its plan while others %s', async (_, missed) => {
  show(OfPlan, undefined, ['initiatives'], missed)
  await screen.findByRole('button', { name: initiativeMessages.add })
})

test('Home does not say that more is being downloaded after that failed', async () => {
  show(Home, undefined, ['actions'])
  await screen.findByText(homeMessages.arriving)
  cleanup()
  show(Home, undefined, ['actions'], ['actions'])
  await screen.findByRole('heading', { level: 1 })
  expect(screen.queryByText(homeMessages.arriving)).toBe(null)
})

test('while plans are being downloaded the review does not say that none needs an update', async () => {
  show(Review)
  await screen.findByText(reviewMessages.noneTitle)
  const report = { ...sync().readReport.get(), partial: ['success_plans'] }
  vi.spyOn(sync().readReport, 'get').mockReturnValue(report)
  act(() => sync().readReport.set(report))
  await screen.findByText(reviewMessages.loading)
  expect(screen.queryByText(reviewMessages.noneTitle)).toBe(null)
})
