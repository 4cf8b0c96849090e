// @vitest-environment jsdom
// The palette offers the owner an upgrade from all plans but Professional. The page that it leads to had none where the
// free plan has another name, or where there is no subscription yet.
import { act, cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { endpoints } from '../../../contract/endpoints.ts'
import { subscriptionQuery } from '../../../src/data/billing.ts'
import { billingMessages as messages } from '../../../src/features/billing/messages.ts'
import { Component as Pricing } from '../../../src/features/billing/plans-screen.tsx'
import { cachedConfig } from '../../../src/features/session/cached-config.ts'
import { CallError, createSync, sync } from '../../../src/sync/client.ts'
import { engineTable } from '../../../contract/engine-table.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'
import { PlainFixture } from '../../sync/plain/plain-fixture.ts'

beforeAll(async () => {
  await openOffline()
  cachedConfig.set({ redirects: [] })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  queryClient.clear()
})

const open = () =>
  render(
    <MemoryRouter>
      <QueryProvider>
        <Pricing />
      </QueryProvider>
    </MemoryRouter>,
  )
const buttons = async (first: string) => {
  await screen.findByRole('button', { name: first })
  return [messages.upgrade, messages.downgrade].filter((name) =>
    screen.queryByRole('button', { name }),
  )
}

const NO_COUNTS = { members: null, active_success_plans: null, accounts: null, templates: null }

test.each([
  ['free', 'none', messages.upgrade],
  ['basic', 'active', messages.upgrade],
  [null, 'none', messages.upgrade],
  ['professional', 'active', messages.downgrade],
])('of the plan %s that is %s it offers “%s”', async (plan, status, offered) => {
  queryClient.setQueryData(subscriptionQuery().queryKey, {
    plan,
    status,
    seats: 1,
    limits: NO_COUNTS,
    usage: NO_COUNTS,
    current_period_end: null,
    ends_at: null,
  })
  open()
  expect(await buttons(offered)).toEqual([offered])
})

const refuseWith = (status: number) => {
  act(() => sync().connection.set('online'))
  vi.spyOn(sync(), 'callByName').mockRejectedValue(
    new CallError('refused', { status, message: 'No.' }),
  )
}

test('a server that has no subscription yet offers the upgrade', async () => {
  refuseWith(404)
  open()
  expect(await buttons(messages.upgrade)).toEqual([messages.upgrade])
})

test('no other refusal counts as none', async () => {
  refuseWith(403)
  open()
  await screen.findByRole('heading', { name: /^The subscription/ })
  expect(screen.queryByRole('button', { name: messages.upgrade })).toBe(null)
})

const ABSENT = { plan: null, status: 'none' }
const PAID = { plan: 'professional', status: 'active' }

test.each([
  [204, '', ABSENT],
  [200, '', ABSENT],
  [200, 'null', ABSENT],
  [200, '[]', ABSENT],
  [200, '{"data":[]}', ABSENT],
  [200, '{"data":null}', ABSENT],
  [200, '{"data":[{"plan":"professional","status":"active"}]}', PAID],
  [200, '[{"plan":"professional","status":"active"}]', PAID],
  [200, '{"data":[{"plan":"professional"},{"plan":"free"}]}', undefined],
  [200, '{"id":7,"stripe_status":"active"}', undefined],
  [200, '{"message":"Down for maintenance."}', undefined],
])('an answer of %i with “%s” reads as %j', async (status, text, read) => {
  const stage = new PlainFixture()
  const engine = await stage.readTab()
  const client = createSync(async () => ({
    ...engineTable,
    engine,
    restored: Promise.resolve(0),
    started: Promise.resolve(),
    decided: Promise.resolve(),
    requestBackgroundSync: () => undefined,
    recentlySent: async () => [],
  }))
  client.storedSession.set(engine.session.current())
  stage.network = (request) =>
    request.url.includes('/subscriptions')
      ? { status, headers: { 'content-type': 'application/json' }, text }
      : stage.answer(request)
  const answer = client.call(endpoints.getSubscription, {})
  await (read ? expect(answer).resolves.toMatchObject(read) : expect(answer).rejects.toThrow())
})
