// @vitest-environment jsdom
// While the server answered, but not as agreed, Home and the review said that changes are being sent.
import { act, cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { editRecord } from '../../../src/data/change-records.ts'
import { PendingNotice } from '../../../src/features/home/pending-notice.tsx'
import { ReviewSummary } from '../../../src/features/success-plans/review/review-summary.tsx'
import { sync } from '../../../src/sync/client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

const plan = planWith()
let operation_id: string | undefined
beforeAll(async () => {
  vi.stubGlobal('scrollTo', () => undefined)
  await openOffline()
  operation_id = await editRecord('success_plans', plan, { end_date: '2099-12-31' })
})
afterEach(cleanup)

test.each([
  ['online', 'being sent', 'Sending 1 change.'],
  ['offline', 'sent when you are online', '1 change will be sent when you are online.'],
  [
    'not-understood',
    'sent once the server works again',
    '1 change will be sent once the server works again.',
  ],
] as const)('with a connection that is %s, Home says %j', async (connection, home, summary) => {
  act(() => sync().connection.set(connection))
  render(
    <QueryProvider>
      <MemoryRouter>
        <PendingNotice />
        <ReviewSummary
          run={{
            ids: [plan.id],
            at: 1,
            posted: {},
            moved: [{ id: operation_id, plan_id: plan.id, text: 'End date' }],
          }}
          byId={new Map([[plan.id, plan]])}
          context={{ user_id: 'ann', now: 0, today: '2026-03-10', nameOf: () => undefined }}
          onAgain={() => {}}
        />
      </MemoryRouter>
    </QueryProvider>,
  )
  const said = await screen.findByText(/saved on this device/)
  expect(said.closest('p')?.textContent).toBe(`1 change saved on this device · ${home}`)
  screen.getByText(summary)
})
