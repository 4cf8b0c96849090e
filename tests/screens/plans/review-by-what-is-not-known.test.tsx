// @vitest-environment jsdom
// The review counted stale plans and one's own at a server that returns neither the last update nor owners.
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { ReviewChoice } from '../../../src/features/success-plans/review/review-choice.tsx'
import { reviewMessages as messages } from '../../../src/features/success-plans/review/messages.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

afterEach(cleanup)

const { last_update_at: _, ...unsaid } = planWith({ health: 'at-risk', owner_id: null })

test.each([
  ['neither is known', unsaid, [messages.reasons.overdue, messages.reasons['at-risk']]],
  [
    'both are known',
    planWith({ health: 'at-risk', owner_id: 'ann' }),
    [...Object.values(messages.reasons), messages.onlyMine, messages.allPlans],
  ],
])('where %s the review offers what can be known', (_case, plan, offered) => {
  render(
    <MemoryRouter>
      <ReviewChoice
        plans={[plan]}
        context={{ user_id: 'ann', now: 0, today: '2026-03-10', nameOf: () => undefined }}
        saved={null}
        unread={null}
        onStart={() => {}}
        onResume={() => {}}
      />
    </MemoryRouter>,
  )
  const choices = [...screen.queryAllByRole('checkbox'), ...screen.queryAllByRole('radio')]
  const labels = choices.map((choice) => choice.closest('label')?.textContent ?? '')
  expect(labels.map((label) => offered.find((one) => label.includes(one)))).toEqual(offered)
})
