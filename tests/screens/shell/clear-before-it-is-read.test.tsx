// @vitest-environment jsdom
// Home and the summary of a review said that nothing is overdue before the actions and accounts were read, where one of
// them or of the plans could not be, or while the rest of them was still to be downloaded.
import { act, cleanup, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { Home } from '../../../src/features/home/home-screen.tsx'
import { homeMessages } from '../../../src/features/home/messages.ts'
import { reviewMessages } from '../../../src/features/success-plans/review/messages.ts'
import { ReviewSummary } from '../../../src/features/success-plans/review/review-summary.tsx'
import { sync } from '../../../src/sync/client.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { ANN, openOffline } from '../fixtures/offline-client.ts'
import { accountWith, actionWith, planWith } from '../fixtures/record-fixtures.ts'

const plan = planWith({ owner_id: 'bob' })

beforeAll(async () => {
  // jsdom has no media queries.
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
  vi.stubGlobal('scrollTo', () => {})
  await openOffline()
  await store({ success_plans: [plan] })
})
afterEach(cleanup)

/** Stores lists that were read to their end. */
async function store(put: Record<string, { id: string }[]>): Promise<void> {
  const engine = await sync().engine()
  const scope = { user_id: ANN.user.id, organisation_id: ANN.active_organisation.id }
  const replica = engine.replicaOf(scope)
  const from = await replica.cursor()
  const to = { ...from, lists: [...(from.lists ?? []), ...Object.keys(put)] }
  await replica.apply({ put, deleted: [] }, { from, to })
  refuse({})
}

const refuse = (refused: Record<string, number>) =>
  act(() => sync().readReport.set({ unread: [], refused, notKept: {} }))

const show = (page: ReactNode) =>
  render(
    <MemoryRouter>
      <QueryProvider>{page}</QueryProvider>
    </MemoryRouter>,
  )

const summary = (
  <ReviewSummary
    run={{ ids: [plan.id], at: 1, posted: {}, moved: [] }}
    byId={new Map([[plan.id, plan]])}
    context={{ user_id: 'ann', now: 0, today: '2026-03-10', nameOf: () => undefined }}
    onAgain={() => {}}
  />
)

/** Waits for one of the texts, and fails where the other is shown. */
async function says(text: string, not: string): Promise<void> {
  expect(await screen.findByText(text, undefined, { timeout: 30_000 })).toBeTruthy()
  expect(screen.queryByText(not)).toBe(null)
}

const homeIsClear = async () => says(homeMessages.allClearTitle, homeMessages.notAllHereTitle)
const homeIsNot = async () => says(homeMessages.notAllHereTitle, homeMessages.allClearTitle)
const reviewIsClear = async () => says(reviewMessages.noNeeds, reviewMessages.needsUnread)
const reviewIsNot = async () => says(reviewMessages.needsUnread, reviewMessages.noNeeds)

test('before the records are on the device there is no all-clear', async () => {
  show(<Home />)
  await homeIsNot()
  cleanup()
  show(summary)
  await reviewIsNot()
})

test('a list that the server does not have is not waited for', async () => {
  refuse({ actions: 404 })
  show(summary)
  await reviewIsClear()
  cleanup()
  show(<Home />)
  await homeIsNot()
  refuse({ actions: 404, accounts: 404 })
  await homeIsClear()
  refuse({})
})

test('without the accounts alone Home gives no all-clear, and with both it does', async () => {
  await store({ actions: [actionWith({ assignee_id: 'bob' })] })
  show(<Home />)
  await homeIsNot()
  cleanup()
  show(summary)
  await reviewIsClear()
  cleanup()
  await store({ accounts: [accountWith()] })
  show(<Home />)
  await homeIsClear()
})

test.each(['success_plans', 'actions', 'accounts'])(
  'Home gives no all-clear where one of %s could not be read',
  async (collection) => {
    const value = { id: 'x', path: 'status', type: 'number', reason: 'missing' } as const
    const connection = vi.spyOn(sync().connection, 'get').mockReturnValue('online')
    const report = vi.spyOn(sync().readReport, 'get')
    report.mockReturnValue({
      unread: [{ ...value, collection, leftOut: 'record' }],
      refused: {},
      notKept: {},
    })
    show(<Home />)
    const title = await screen.findByText(homeMessages.notAllTitle)
    expect(title).toBeTruthy()
    report.mockRestore()
    connection.mockRestore()
  },
)

test.each(['success_plans', 'actions', 'accounts'])(
  'while %s are being downloaded Home says so, and gives no all-clear',
  async (collection) => {
    const connection = vi.spyOn(sync().connection, 'get').mockReturnValue('online')
    const report = vi.spyOn(sync().readReport, 'get')
    const partial = (names: string[]) => ({ unread: [], refused: {}, notKept: {}, partial: names })
    report.mockReturnValue(partial([collection]))
    show(<Home />)
    await screen.findByText(homeMessages.arriving)
    await screen.findByText(homeMessages.loading)
    expect(screen.queryByText(homeMessages.allClearTitle)).toBe(null)
    report.mockRestore()
    act(() => sync().readReport.set(partial([])))
    await screen.findByText(homeMessages.allClearTitle)
    connection.mockRestore()
  },
)

test('offline Home says what is missing, also beside what needs the user', async () => {
  await store({ success_plans: [planWith({ owner_id: 'ann', health: 'off-track' })] })
  queryClient.clear()
  const report = vi.spyOn(sync().readReport, 'get')
  report.mockReturnValue({ unread: [], refused: {}, notKept: {}, partial: ['actions'] })
  show(<Home />)
  await screen.findByText(homeMessages.atRiskOrStale)
  await screen.findByText(homeMessages.notAllHereTitle)
  report.mockRestore()
})
