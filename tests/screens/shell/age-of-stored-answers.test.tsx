// @vitest-environment jsdom
// Without a network a screen shows the last answer of the server as if it had just been given.
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { Component as Billing } from '../../../src/features/billing/billing-screen.tsx'
import { subscriptionQuery } from '../../../src/data/billing.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { keepAnswer } from '../../../src/sync/react/keep-answer.ts'
import { moment } from '../../../src/ui/text/dates.ts'
import { openOffline } from '../fixtures/offline-client.ts'

beforeAll(async () => void (await openOffline()))
afterEach(cleanup)

const subscription = {
  plan: 'free',
  status: 'active',
  limits: {},
  usage: {},
  current_period_end: null,
  ends_at: null,
}

test('billing says how old the shown state is, also after a reload', async () => {
  const yesterday = Date.now() - 86_400_000
  vi.spyOn(Date, 'now').mockReturnValue(yesterday)
  await keepAnswer(subscriptionQuery().queryKey, subscription)
  vi.mocked(Date.now).mockRestore()
  queryClient.clear()
  render(
    <MemoryRouter>
      <QueryProvider>
        <Billing />
      </QueryProvider>
    </MemoryRouter>,
  )
  expect(await screen.findByText(`Offline · as of ${moment(yesterday)}`)).toBeTruthy()
})
