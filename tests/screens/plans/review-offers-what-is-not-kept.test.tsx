// @vitest-environment jsdom
// The review offers owner, dates and assignees to a server that does not keep them, so that a change is lost.
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { reviewMessages as messages } from '../../../src/features/success-plans/review/messages.ts'
import { PlanChanges } from '../../../src/features/success-plans/review/plan-changes.tsx'
import { ReviewActions } from '../../../src/features/success-plans/review/review-actions.tsx'
import { sync } from '../../../src/sync/client.ts'
import { queryClient, queryKeyOf } from '../../../src/sync/react/query-client.ts'
import { activeScope } from '../../../src/sync/react/query-options.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'
import { actionWith, planWith } from '../fixtures/record-fixtures.ts'

const plan = planWith()
const action = actionWith({ title: 'Invite', due_date: '2026-06-01' })
const context = { user_id: 'ada', now: 0, today: '2026-03-10', nameOf: () => undefined }

beforeAll(openOffline)
beforeEach(() => {
  for (const [name, records] of [
    ['actions', [action]],
    ['organisation_users', []],
  ] as const)
    queryClient.setQueryData(queryKeyOf(activeScope(), 'collection', name), records)
})
afterEach(() => {
  cleanup()
  queryClient.clear()
})

const FIELDS = [
  messages.owner,
  messages.endDate,
  messages.assigneeOf(action.title),
  messages.dueOf(action.title),
]

test.each([
  [{}, FIELDS],
  [{ success_plans: ['owner_id', 'end_date'] }, FIELDS.slice(2)],
  [{ actions: ['assignee_id', 'due_date'] }, FIELDS.slice(0, 2)],
])('with %j not kept it offers %j', async (notKept, offered) => {
  act(() => sync().readReport.set({ unread: [], refused: {}, notKept }))
  render(
    <QueryProvider>
      <PlanChanges
        plan={plan}
        context={context}
        onStep={() => Promise.resolve()}
        onQuickUpdate={() => Promise.resolve()}
      />
      <ReviewActions plan={plan} context={context} onStep={() => {}} />
    </QueryProvider>,
  )
  await screen.findByRole('checkbox', { name: messages.tick(action.title) })
  expect(FIELDS.filter((label) => screen.queryByLabelText(label))).toEqual(offered)
})
