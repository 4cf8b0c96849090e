// @vitest-environment jsdom
// Where the operator names no price for Professional, the pricing page has no prices at all, not even that of Free.
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { subscriptionQuery } from '../../../src/data/billing.ts'
import { Component as Pricing } from '../../../src/features/billing/plans-screen.tsx'
import { cachedConfig } from '../../../src/features/session/cached-config.ts'
import { keepAnswer } from '../../../src/sync/react/keep-answer.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'

const subscription = {
  plan: 'free',
  status: 'none',
  limits: {},
  usage: {},
  current_period_end: null,
  ends_at: null,
}

beforeAll(async () => {
  await openOffline()
  await keepAnswer(subscriptionQuery().queryKey, subscription)
})
afterEach(cleanup)

test.each([
  [undefined, 'On request'],
  ['€19 per member a month', '€19 per member a month'],
])('with the price %s for Professional it says %s', async (professionalPrice, shown) => {
  cachedConfig.set({ redirects: [], ...(professionalPrice && { professionalPrice }) })
  render(
    <MemoryRouter>
      <QueryProvider>
        <Pricing />
      </QueryProvider>
    </MemoryRouter>,
  )
  const row = (await screen.findByRole('rowheader', { name: 'Price' })).closest('tr')
  const cells = row?.querySelectorAll('td') ?? []
  expect(Array.from(cells, ({ textContent }) => textContent)).toEqual(['Free of charge', shown])
})
