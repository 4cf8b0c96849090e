// @vitest-environment jsdom
// A review called a plan skipped whose status, date or actions were changed in it, and offered it again.
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { planScreenMessages } from '../../../src/features/success-plans/plan-messages.ts'
import { Review } from '../../../src/features/success-plans/review/review.tsx'
import { reviewMessages as messages } from '../../../src/features/success-plans/review/messages.ts'
import { queryClient, queryKeyOf } from '../../../src/sync/react/query-client.ts'
import { activeScope } from '../../../src/sync/react/query-options.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'
import { actionWith, planWith } from '../fixtures/record-fixtures.ts'
import { press } from '../fixtures/press.ts'

beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener() {},
    removeEventListener() {},
  }))
  vi.stubGlobal('scrollTo', () => undefined)
  // jsdom has no popovers.
  Object.assign(HTMLElement.prototype, { showPopover() {}, hidePopover() {} })
  await openOffline()
})
afterEach(() => {
  cleanup()
  queryClient.clear()
})

const plan = (name: string) => screen.findByRole('heading', { name, level: 2 })

test('a plan is skipped only if nothing was posted and nothing was changed', async () => {
  const fields = { owner_id: 'ann', health: 'at-risk' } as const
  const records = {
    success_plans: ['Paused', 'Ticked', 'Skipped plan'].map((title, at) =>
      planWith({ ...fields, id: title, title, last_update_at: `2026-01-0${at + 1}T00:00:00.000Z` }),
    ),
    actions: [actionWith({ success_plan_id: 'Ticked', title: 'Invite' })],
    organisation_users: [],
    accounts: [],
  }
  for (const [name, all] of Object.entries(records))
    queryClient.setQueryData(queryKeyOf(activeScope(), 'collection', name), all)
  render(
    <MemoryRouter>
      <QueryProvider>
        <Review />
      </QueryProvider>
    </MemoryRouter>,
  )
  await press(messages.start(3))
  await plan('Paused')
  await press(planScreenMessages.changeStatus)
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Pause', hidden: true }))
  await userEvent.type(
    await within(await screen.findByRole('dialog')).findByRole('textbox'),
    'They move house.',
  )
  await press('Pause')
  await press(messages.next)
  await plan('Ticked')
  await userEvent.click(await screen.findByRole('checkbox', { name: messages.tick('Invite') }))
  await press(messages.next)
  await plan('Skipped plan')
  await press(messages.finish)
  await plan(messages.summaryTitle)
  const skipped = screen.getByRole('heading', { name: messages.skipped }).parentElement
  if (!skipped) throw new Error('There is no list of what was skipped.')
  expect(
    within(skipped)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['Skipped plan'])
  const mail = screen.getByRole('link', { name: messages.mail }).getAttribute('href') ?? ''
  expect(new URL(mail).searchParams.get('body')).toMatch(/Skipped\r\n- Skipped plan$/)
  await press(messages.reviewSkipped(1))
  await plan('Skipped plan')
})
