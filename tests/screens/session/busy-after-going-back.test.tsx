// @vitest-environment jsdom
// A button that leaves for an issuer or a payment was ready for a second press while the other page loaded, which
// started a second subscription. Going back, where the browser shows the page as it was left, makes it ready again.
import { act, cleanup, render, screen } from '@testing-library/react'
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
import { waitFor } from '../../wait-for.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { press } from '../fixtures/press.ts'

vi.mock(import('../../../src/ui/platform/load-page.ts'), async (original) => ({
  ...(await original()),
  loadPage: vi.fn(() => true),
}))

/** The page is shown again: with `persisted` as it was left. */
const goBack = (persisted: boolean) =>
  act(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted })))

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
])(
  'the button that left for the page %s is busy until the user is back',
  async (_, Shown, name) => {
    render(
      <MemoryRouter>
        <QueryProvider>
          <Shown />
        </QueryProvider>
      </MemoryRouter>,
    )
    const isBusy = () => screen.getByRole('button', { name }).getAttribute('aria-busy')
    for (const times of [1, 2]) {
      await press(name)
      await waitFor(() => expect(loadPage).toHaveBeenCalledTimes(times))
      // What follows the call has run.
      await act(async () => {})
      expect(isBusy()).toBe('true')
      goBack(false)
      expect(isBusy()).toBe('true')
      goBack(true)
      expect(isBusy()).toBe(null)
    }
    expect(screen.queryByRole('alert')).toBe(null)
  },
)
