// @vitest-environment jsdom
// The page of an account said that nothing is at risk and that there is no update yet, where these are not on the
// device.
import { act, cleanup, render, renderHook, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { AccountPlans } from '../../../src/features/accounts/detail/account-plans.tsx'
import { AccountStrip } from '../../../src/features/accounts/detail/account-strip.tsx'
import { useAccountWork } from '../../../src/features/accounts/detail/account-sections.tsx'
import {
  accountMessages,
  accountPageMessages as messages,
} from '../../../src/features/accounts/messages.ts'
import { planMessages } from '../../../src/features/success-plans/messages.ts'
import { sync } from '../../../src/sync/client.ts'
import { queryClient, queryKeyOf } from '../../../src/sync/react/query-client.ts'
import { activeScope } from '../../../src/sync/react/query-options.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'
import { accountWith, planWith } from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)
afterEach(cleanup)

const account = accountWith()
const said = planWith({ id: 'said', title: 'Said', last_update_at: '2026-03-02T09:00:00.000Z' })
const silent = planWith({ id: 'silent', title: 'Silent', last_update_at: null })

type Work = Partial<Parameters<typeof AccountStrip>[0]['work']>

function showStrip(work: Work) {
  render(
    <MemoryRouter>
      <AccountStrip
        account={account}
        work={{
          own: [],
          unread: undefined,
          entries: [],
          missing: [],
          authorOf: () => 'Ada',
          ...work,
        }}
        today="2026-03-10"
      />
    </MemoryRouter>,
  )
}
const fact = (term: string) =>
  screen.getByText(term).parentElement?.querySelector('dd')?.textContent

test('while the plans are unknown nothing is said of the risk and the last update', () => {
  showStrip({ own: undefined, entries: undefined })
  expect(fact(messages.atRisk)).toBe(messages.notKnown)
  expect(fact(messages.lastUpdate)).toBe(messages.notKnown)
})

test('while some of the plans are unknown it is not said that nothing is at risk, nor that there is no update', () => {
  const query = { data: [], isError: false, error: null, refetch: () => undefined }
  showStrip({ own: [silent], unread: { collection: 'success_plans', query } })
  expect(fact(messages.atRisk)).toBe(messages.notKnown)
  expect(fact(messages.lastUpdate)).toBe(messages.notKnown)
})

test('without plans nothing is at risk, and there is no update', () => {
  showStrip({})
  expect(fact(messages.atRisk)).toBe(messages.noRisk)
  expect(fact(messages.lastUpdate)).toBe(messages.noUpdate)
})

test.each([
  ['is that of its plan', ['said', 'silent'], messages.ago('2026-03-02T09:00:00.000Z') + 'Said'],
  ['may be there', ['silent'], messages.notKnown],
])('an update that is not on the device %s', (_, missing, words) => {
  showStrip({ own: [said, silent], missing })
  expect(fact(messages.lastUpdate)).toBe(words)
})

test('the timeline is not known to be empty before the plans are', async () => {
  const { result } = renderHook(() => useAccountWork(account), { wrapper: QueryProvider })
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  expect(result.current).toMatchObject({ own: undefined, entries: undefined })
})

function OwnPlans() {
  const { own, unread } = useAccountWork(account)
  return <AccountPlans account_id={account.id} plans={own} unread={unread} today="2026-03-10" />
}

test.each([
  ['are still arriving', [], planMessages.loading],
  ['could not all be read', ['success_plans'], planMessages.failedTitle],
])('an account is not said to have no plans while they %s', async (_, missed, words) => {
  vi.spyOn(sync().connection, 'get').mockReturnValue('online')
  const report = { unread: [], refused: {}, notKept: {}, partial: ['success_plans'], missed }
  const reading = vi.spyOn(sync().readReport, 'get').mockReturnValue(report)
  queryClient.setQueryData(queryKeyOf(activeScope(), 'collection', 'success_plans'), [])
  render(
    <MemoryRouter>
      <QueryProvider>
        <OwnPlans />
      </QueryProvider>
    </MemoryRouter>,
  )
  await screen.findByText(words)
  expect(screen.queryByText(accountMessages.noPlans)).toBe(null)
  const read = { ...report, partial: [], missed: [] }
  reading.mockReturnValue(read)
  act(() => sync().readReport.set(read))
  await screen.findByText(accountMessages.noPlans)
})

test('an account of which some plans are here says that there may be more', async () => {
  vi.spyOn(sync().connection, 'get').mockReturnValue('online')
  const report = { unread: [], refused: {}, notKept: {}, partial: ['success_plans'], missed: [] }
  vi.spyOn(sync().readReport, 'get').mockReturnValue(report)
  const plans = [planWith({ account_id: account.id, title: 'Here' })]
  queryClient.setQueryData(queryKeyOf(activeScope(), 'collection', 'success_plans'), plans)
  render(
    <MemoryRouter>
      <QueryProvider>
        <OwnPlans />
      </QueryProvider>
    </MemoryRouter>,
  )
  await screen.findByText('Here')
  await screen.findByText(accountMessages.plansMissing)
})
