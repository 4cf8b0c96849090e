// @vitest-environment jsdom
// A list marks nearly every plan, so that a mark says nothing: an overdue plan is not marked as behind as well.
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { CellContext, ProgressCell } from '../../../src/features/success-plans/list/table/cells.tsx'
import { planMessages } from '../../../src/features/success-plans/messages.ts'
import { PlanProgressBar } from '../../../src/features/success-plans/plan-progress-bar.tsx'
import { planWith } from '../fixtures/record-fixtures.ts'

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
