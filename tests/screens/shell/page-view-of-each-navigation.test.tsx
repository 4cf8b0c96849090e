// @vitest-environment jsdom
// Of a navigation to an address that differs by what analytics may not see, no page view is recorded.
import { act, render } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeEach, expect, test, vi } from 'vitest'
import { trackPage } from '../../../src/app/telemetry/analytics.ts'
import { usePageViews } from '../../../src/app/telemetry/use-page-views.ts'

vi.mock(import('../../../src/app/telemetry/analytics.ts'), async (original) => ({
  ...(await original()),
  trackPage: vi.fn(),
}))

const PROJECT = { key: 'key', host: 'https://analytics.example' }

function Page() {
  usePageViews(PROJECT)
  return null
}

beforeEach(() => vi.clearAllMocks())

const views = () => vi.mocked(trackPage).mock.calls.map(([, path]) => path)

function openAt(address: string) {
  const router = createMemoryRouter([{ path: '*', element: <Page /> }], {
    initialEntries: [address],
  })
  render(<RouterProvider router={router} />)
  return (to: string | -1, options?: { replace: boolean }) =>
    act(async () => (to === -1 ? router.navigate(to) : router.navigate(to, options)))
}

test('the first address, and each that is pushed or popped, is a page view', async () => {
  const go = openAt('/accounts?owner=mia')
  await go('/accounts?owner=ben')
  await go('/accounts/42#notes')
  await go(-1)
  const list = '/accounts'
  expect(views()).toEqual([list, list, '/accounts/42', list])
})

test('a replaced address is a page view where it leads to another page, and not while typing', async () => {
  const go = openAt('/success-plans')
  await go('/success-plans?search=a', { replace: true })
  await go('/success-plans?search=au', { replace: true })
  expect(views()).toEqual(['/success-plans'])
  await go('/success-plans?search=au&view=mine', { replace: true })
  await go('/', { replace: true })
  expect(views()).toEqual(['/success-plans', '/success-plans?view=mine', '/'])
})
