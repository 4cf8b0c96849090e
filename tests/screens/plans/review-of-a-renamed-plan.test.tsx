// @vitest-environment jsdom
// At a server that makes ids, a review said of a plan that got its id meanwhile that it has been deleted, emptied the
// fields that were typed in, and left the plan out of the summary.
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { updateMessages } from '../../../src/features/success-plans/plan-messages.ts'
import { Review } from '../../../src/features/success-plans/review/review.tsx'
import { reviewMessages as messages } from '../../../src/features/success-plans/review/messages.ts'
import { queryClient, queryKeyOf } from '../../../src/sync/react/query-client.ts'
import { activeScope } from '../../../src/sync/react/query-options.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { giveId } from '../fixtures/give-id.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { actionWith, planWith } from '../fixtures/record-fixtures.ts'
import { press } from '../fixtures/press.ts'

const LOCAL = '01980000-0000-7000-8000-00000000000a'

/** What the device has: the plan under that id, and one that is at risk like it. */
function store(id: string): void {
  const fields = { owner_id: 'ann', health: 'at-risk' } as const
  const records = {
    success_plans: [
      planWith({ ...fields, id, title: 'Made here', last_update_at: '2026-01-01T00:00:00.000Z' }),
      planWith({ ...fields, id: 'other', title: 'Other' }),
    ],
    actions: [actionWith({ id: `${id}-action`, success_plan_id: id, title: 'Invite' })],
    organisation_users: [],
    accounts: [],
  }
  for (const [name, all] of Object.entries(records))
    queryClient.setQueryData(queryKeyOf(activeScope(), 'collection', name), all)
}

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

const heading = (name: string) => screen.findByRole('heading', { name })

test('a plan that gets the id of its server stays open with what is typed, and is in the summary', async () => {
  store(LOCAL)
  render(
    <MemoryRouter>
      <QueryProvider>
        <Review />
      </QueryProvider>
    </MemoryRouter>,
  )
  await press(messages.start(2))
  await heading('Made here')
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', {
    name: updateMessages.label,
  })
  await userEvent.type(field, 'They signed')
  await giveId('success_plans', LOCAL, '21')
  act(() => store('21'))
  await heading('Made here')
  expect(document.activeElement).toBe(field)
  expect(field.value).toBe('They signed')
  await press(updateMessages.post)
  await heading('Other')
  await press(messages.finish)
  await heading(messages.summaryTitle)
  expect((await screen.findByRole('link', { name: 'Made here' })).getAttribute('href')).toBe(
    '/success-plans/21',
  )
  await screen.findByText('They signed')
})
