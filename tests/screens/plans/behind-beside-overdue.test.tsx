// @vitest-environment jsdom
// A list marks nearly every plan, so that a mark says nothing: an overdue plan is not marked as behind as well.
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { PlanFacts } from '../../../src/features/success-plans/detail/plan-facts.tsx'
import { CellContext, ProgressCell } from '../../../src/features/success-plans/list/table/cells.tsx'
import { planMessages } from '../../../src/features/success-plans/messages.ts'
import { planScreenMessages } from '../../../src/features/success-plans/plan-messages.ts'
import { PlanProgressBar } from '../../../src/features/success-plans/plan-progress-bar.tsx'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)
afterEach(cleanup)

const plan = planWith({
  status: 'in-progress',
  progress: 10,
  start_date: '2026-03-01',
  end_date: '2026-03-10',
})
const cells = {
  now: 0,
  nameOf: () => undefined,
  pending: new Map<string, 'waiting'>(),
  edit: undefined,
  keeps: () => true,
}

test.each([
  ['2026-03-09', 1],
  ['2026-03-11', 0],
])('on %s a row of a phone says %i times that the plan is behind', (today, times) => {
  render(<PlanProgressBar plan={plan} today={today} />)
  expect(screen.queryAllByText(planMessages.behind)).toHaveLength(times)
})

test.each([
  ['2026-03-09', 1],
  ['2026-03-11', 0],
])('on %s a row of the table says %i times that the plan is behind', (today, times) => {
  render(
    <CellContext value={{ ...cells, today }}>
      <ProgressCell plan={plan} />
    </CellContext>,
  )
  expect(screen.queryAllByText(planMessages.behind)).toHaveLength(times)
})

test.each([
  ['2026-03-09', planMessages.behind],
  ['2026-03-11', planMessages.overdue],
])('on %s the facts of the plan say “%s” alone', (today, word) => {
  render(
    <QueryProvider>
      <PlanFacts plan={plan} today={today} />
    </QueryProvider>,
  )
  const words = [planMessages.behind, planMessages.overdue, planScreenMessages.progress]
  expect(words.filter((one) => screen.queryByText(one))).toEqual([word])
})
