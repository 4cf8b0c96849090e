// @vitest-environment jsdom
// An answer that came after its user had cancelled or left moved them: to another organisation, to the first screen of
// the app, or to the page of the payment provider.
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter, Route, Routes, useLocation, useNavigate } from 'react-router'
import type { ComponentType, ReactNode } from 'react'
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { endpoints } from '../../../contract/endpoints.ts'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import type { Onboarding } from '../../../contract/schemas/settings.ts'
import type { Subscription } from '../../../contract/schemas/subscriptions.ts'
import { useAccounts } from '../../../src/data/accounts.ts'
import { subscriptionQuery } from '../../../src/data/billing.ts'
import { answerQuery, recordsQuery } from '../../../src/data/record-queries.ts'
import { Component as Billing } from '../../../src/features/billing/billing-screen.tsx'
import { billingMessages } from '../../../src/features/billing/messages.ts'
import { Component as Pricing } from '../../../src/features/billing/plans-screen.tsx'
import { AccountStep } from '../../../src/features/onboarding/account-step.tsx'
import { onboardingMessages } from '../../../src/features/onboarding/messages.ts'
import { Component as OnboardingScreen } from '../../../src/features/onboarding/onboarding-screen.tsx'
import { sync } from '../../../src/sync/client.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { Toaster } from '../../../src/ui/overlay/toast.tsx'
import { loadPage } from '../../../src/ui/platform/load-page.ts'
import { ANN, emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
// What the lists need to show unsent records.
import '../fixtures/record-fixtures.ts'
import { press } from '../fixtures/press.ts'

vi.mock(import('../../../src/ui/platform/load-page.ts'), async (original) => ({
  ...(await original()),
  loadPage: vi.fn(() => true),
}))

const NORTH = {
  ...ANN.active_organisation,
  name: 'North',
  user_id: 'ann',
  pivot: { role: 'owner' },
} as Organisation

beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
  await openOffline()
  vi.spyOn(sync().connection, 'get').mockReturnValue('online')
})
beforeEach(() => sync().chooseOrganisation(NORTH))
afterEach(async () => {
  cleanup()
  vi.mocked(loadPage).mockClear()
  await emptyOutbox()
})

/** The answer of a call that takes until it is given. */
function held(row: object) {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const call = vi.spyOn(sync(), 'call')
  call.mockImplementation(async (called) => {
    if ((called as object) !== row) throw new Error('Another call.')
    return await promise
  })
  onTestFinished(() => call.mockRestore())
  return {
    isMade: () => waitFor(() => expect(call).toHaveBeenCalled()),
    // What follows an answer is done before the next task.
    give: async (answer: unknown) => {
      resolve(answer)
      await new Promise((next) => {
        setTimeout(next)
      })
    },
  }
}

function Place() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  return (
    <>
      <p>At {pathname}</p>
      <button type="button" onClick={() => void navigate('/elsewhere')}>
        Elsewhere
      </button>
    </>
  )
}

const open = (path: string, shown: ReactNode) =>
  render(
    <MemoryRouter initialEntries={[path]}>
      <Place />
      <Toaster />
      <QueryProvider>
        <Routes>
          <Route path={path} element={shown} />
          <Route path="*" element={null} />
        </Routes>
      </QueryProvider>
    </MemoryRouter>,
  )
const isAt = (path: string) => screen.findByText(`At ${path}`)

const MEANWHILE = [
  ['of the customer portal', Billing, endpoints.getCustomerPortal, billingMessages.portalOpen],
  ['for a payment', Pricing, endpoints.createSubscription, billingMessages.upgrade],
] as const

test.each(MEANWHILE)('the tab leaves for the page %s', async (_, Shown, row, button) => {
  const give = await pressBilling(Shown, row, button)
  await give({ url: 'https://pay.test/' })
  expect(loadPage).toHaveBeenCalledOnce()
})

test.each(MEANWHILE)(
  'the tab stays where its user has gone before the page %s was known',
  async (_, Shown, row, button) => {
    const give = await pressBilling(Shown, row, button)
    await press('Elsewhere')
    await give({ url: 'https://pay.test/' })
    expect(loadPage).not.toHaveBeenCalled()
  },
)

async function pressBilling(Shown: ComponentType, row: object, button: string) {
  const none = { limits: {}, usage: {}, current_period_end: null, ends_at: null }
  const free = { plan: 'free', status: 'none', ...none } as unknown as Subscription
  queryClient.setQueryData(subscriptionQuery().queryKey, free)
  open('/billing', <Shown />)
  const { isMade, give } = held(row)
  await press(button)
  await isMade()
  return give
}

test('a user who goes on elsewhere while the onboarding is put off stays there', async () => {
  const { queryKey } = answerQuery('getOnboarding', {})
  queryClient.setQueryData(queryKey, { status: 'in-progress', steps: {} } as Onboarding)
  open('/onboarding', <OnboardingScreen />)
  const { isMade, give } = held(endpoints.updateOnboarding)
  await press(onboardingMessages.finishLater)
  await isMade()
  await press('Elsewhere')
  await give(Promise.reject(new Error('Lost.')))
  await screen.findByText(onboardingMessages.stepNotSaved)
  await isAt('/elsewhere')
})

const Count = () => <p>Accounts: {useAccounts().accounts?.length}</p>

test('the first account leads on although it is listed before the form has finished', async () => {
  queryClient.setQueryData(recordsQuery('accounts').queryKey, [])
  const enqueue = sync().enqueue.bind(sync())
  const slow = vi.spyOn(sync(), 'enqueue').mockImplementation(async (...call) => {
    const operation = await enqueue(...call)
    await screen.findByText('Accounts: 1')
    return operation
  })
  onTestFinished(() => slow.mockRestore())
  const done = vi.fn()
  open(
    '/onboarding',
    <>
      <Count />
      <AccountStep user={ANN.user as Parameters<typeof AccountStep>[0]['user']} onDone={done} />
    </>,
  )
  await userEvent.type(await screen.findByRole('textbox', { name: 'Customer name' }), 'Northwind')
  await press(onboardingMessages.account.create)
  await waitFor(() => expect(done).toHaveBeenCalledOnce())
})
