// @vitest-environment jsdom
// After going back from an issuer or a payment, where the browser shows the page as it was left, its button was busy
// for ever.
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ComponentType } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { subscriptionQuery } from '../../../src/data/billing.ts'
import { Component as Billing } from '../../../src/features/billing/billing-screen.tsx'
import { billingMessages } from '../../../src/features/billing/messages.ts'
import { Component as Pricing } from '../../../src/features/billing/plans-screen.tsx'
import { cachedConfig } from '../../../src/features/session/cached-config.ts'
import { socialMessages } from '../../../src/features/session/social/messages.ts'
import { SocialButtons } from '../../../src/features/session/social/social-sign-in.tsx'
import { sync } from '../../../src/sync/client.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { loadPage } from '../../../src/ui/platform/load-page.ts'
import { openOffline } from '../fixtures/offline-client.ts'

vi.mock(import('../../../src/ui/platform/load-page.ts'), async (original) => ({
  ...(await original()),
  loadPage: vi.fn(() => true),
}))

const PAGE = 'https://elsewhere.test/'
const NO_COUNTS = { members: null, active_success_plans: null, accounts: null, templates: null }

beforeAll(async () => {
  await openOffline()
  vi.spyOn(sync().connection, 'get').mockReturnValue('online')
  vi.spyOn(sync(), 'call').mockResolvedValue({ url: PAGE, authorization_url: PAGE })
  cachedConfig.set({ redirects: [], oidcName: 'Acme' })
  queryClient.setQueryData(subscriptionQuery().queryKey, {
    plan: 'free',
    status: 'active',
    seats: 1,
    limits: NO_COUNTS,
    usage: NO_COUNTS,
    current_period_end: null,
    ends_at: null,
  })
})
afterEach(() => {
  cleanup()
  vi.mocked(loadPage).mockClear()
})

test.each<[string, ComponentType, string]>([
  ['of an issuer', SocialButtons, socialMessages.action('Acme')],
  ['of a payment', Pricing, billingMessages.upgrade],
  ['of the customer portal', Billing, billingMessages.portalOpen],
])('the button that left for the page %s can be pressed again', async (_, Shown, name) => {
  render(
    <MemoryRouter>
      <QueryProvider>
        <Shown />
      </QueryProvider>
    </MemoryRouter>,
  )
  for (const times of [1, 2]) {
    await userEvent.click(await screen.findByRole('button', { name }))
    await waitFor(() => expect(loadPage).toHaveBeenCalledTimes(times))
    await waitFor(() =>
      expect(screen.getByRole('button', { name }).getAttribute('aria-busy')).toBe(null),
    )
  }
  expect(screen.queryByRole('alert')).toBe(null)
})
