// @vitest-environment jsdom
// On the page of an account a plan was “Completed” and, beside that, “Off track”.
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { PlanStatus } from '../../../contract/values.ts'
import { AccountPlans } from '../../../src/features/accounts/detail/account-plans.tsx'
import { statusMessages } from '../../../src/widgets/status/messages.ts'
import { createSync } from '../../../src/sync/client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

beforeAll(() => createSync(() => Promise.reject(new Error('No engine.'))))
afterEach(cleanup)

test.each<[PlanStatus, number]>([
  ['planned', 1],
  ['in-progress', 1],
  ['paused', 1],
  ['completed', 0],
  ['cancelled', 0],
])('a plan that is %s shows its health %i times', (status, times) => {
  const plan = planWith({ status, health: 'off-track' })
  render(
    <MemoryRouter>
      <AccountPlans account_id="north" plans={[plan]} unread={undefined} today="2026-03-10" />
    </MemoryRouter>,
  )
  screen.getByText(statusMessages.status(status))
  expect(screen.queryAllByText(statusMessages.health('off-track'))).toHaveLength(times)
})
