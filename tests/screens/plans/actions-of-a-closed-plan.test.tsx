// @vitest-environment jsdom
// The page of a plan marks what the lists leave alone.
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { ActionList } from '../../../src/features/actions/action-list.tsx'
import { needsOf } from '../../../src/features/home/needs.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'
import { actionWith, planWith } from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)
afterEach(cleanup)

const TODAY = '2026-03-10'
const late = actionWith({ due_date: '2026-03-09', assignee_id: 'ada' })

test.for([
  ['in-progress', 1],
  ['paused', 1],
  ['completed', 0],
  ['cancelled', 0],
] as const)('in a plan that is %s, a late action is marked %i times', ([status, times]) => {
  const plan = planWith({ status, end_date: null })
  render(
    <MemoryRouter>
      <QueryProvider>
        <ActionList
          of="Launch"
          actions={[late]}
          parents={{ success_plan_id: plan.id, initiative_id: null }}
          contacts={[]}
          plan={plan}
          today={TODAY}
          states={new Map()}
        />
      </QueryProvider>
    </MemoryRouter>,
  )
  expect(screen.getByText(late.title)).toBeTruthy()
  expect(screen.queryAllByText(/overdue/i)).toHaveLength(times)
  const needs = needsOf(
    { plans: [plan], actions: [late], accounts: [] },
    { user_id: 'ada', today: TODAY, now: 0, ticked: new Set() },
  )
  expect(needs.overdue).toHaveLength(times)
})
