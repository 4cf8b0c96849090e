// @vitest-environment jsdom
// The plan beside the list was opened where the one before it had been scrolled to.
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { PlanPreview } from '../../../src/features/success-plans/list/table/plan-preview.tsx'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { giveId } from '../fixtures/give-id.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { PLAN_ID, planWith } from '../fixtures/record-fixtures.ts'

beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
  await openOffline()
})
afterEach(cleanup)

const preview = (id: string) => (
  <MemoryRouter>
    <QueryProvider>
      <PlanPreview plan={planWith({ id })} today="2026-03-10" now={0} onClose={() => undefined} />
    </QueryProvider>
  </MemoryRouter>
)
const pane = () => screen.getByRole('complementary')

test('the next plan begins at its top, and a plan that gets another id stays where it is', async () => {
  const { rerender } = render(preview('other'))
  pane().scrollTop = 300
  rerender(preview(PLAN_ID))
  expect(pane().scrollTop).toBe(0)
  pane().scrollTop = 200
  await giveId('success_plans', PLAN_ID, 'made-by-server')
  rerender(preview('made-by-server'))
  expect(pane().scrollTop).toBe(200)
})
