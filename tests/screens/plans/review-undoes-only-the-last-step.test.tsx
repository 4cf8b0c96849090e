// @vitest-environment jsdom
// The review undoes the last step and none of those before it, though they have not left either.
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { editRecord } from '../../../src/data/change-records.ts'
import { LastStep } from '../../../src/features/success-plans/review/last-step.tsx'
import type { ReviewRun } from '../../../src/features/success-plans/review/use-run.ts'
import { sync } from '../../../src/sync/client.ts'
import { emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)
afterEach(async () => {
  cleanup()
  await emptyOutbox()
})

const PLANS = ['First', 'Second', 'Third'].map((title) => planWith({ id: title, title }))
const edit = (plan: SuccessPlan) =>
  editRecord('success_plans', plan, { end_date: '2099-12-31' }, { delayMs: 8_000 })

function Review({ moved }: { moved: ReviewRun['moved'] }) {
  const [run, setRun] = useState<ReviewRun>({
    ids: PLANS.map(({ id }) => id),
    at: PLANS.length,
    posted: {},
    moved,
  })
  return (
    <LastStep
      run={run}
      byId={new Map(PLANS.map((plan) => [plan.id, plan]))}
      forget={(ids) =>
        setRun({ ...run, moved: run.moved.filter(({ id = '' }) => !ids.includes(id)) })
      }
    />
  )
}

test('undoes one step after the other, the newest first, as long as they have not left', async () => {
  const moved: ReviewRun['moved'][number][] = []
  for (const plan of PLANS) moved.push({ id: await edit(plan), plan_id: plan.id, text: 'End date' })
  render(<Review moved={moved} />)
  for (const title of ['Third', 'Second', 'First'])
    await userEvent.click(
      await screen.findByRole('button', { name: `Undo the last step on “${title}”` }),
    )
  await screen.findByText(/Undone: “First”/)
  expect(screen.queryByRole('button')).toBe(null)
  expect(sync().operations.get()).toEqual([])
})
