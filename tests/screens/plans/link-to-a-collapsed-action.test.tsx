// @vitest-environment jsdom
// Links to an action led to the work of its plan, where its initiative can be collapsed, or to the list of initiatives.
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Action } from '../../../contract/schemas/actions.ts'
import { pathOfAction } from '../../../server/jobs/digest-sections.ts'
import { ActionNeed } from '../../../src/features/home/need-rows.tsx'
import { Component as InitiativeScreen } from '../../../src/features/initiatives/list-screen.tsx'
import { PlanInitiatives } from '../../../src/features/initiatives/plan-initiatives.tsx'
import { sync } from '../../../src/sync/client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { actionPath } from '../../../src/ui/platform/work-path.ts'
import { waitFor } from '../../wait-for.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { actionWith, initiativeWith, planWith } from '../fixtures/record-fixtures.ts'

const NOWHERE = { initiative_id: null, success_plan_id: null, account_id: null }
/** As ids of other servers may be. */
const ID = 'A 7/ü#50%'
const PLAN = planWith({ id: 'p' })
const ACTIONS: Action[] = [
  actionWith({
    ...NOWHERE,
    id: 'grouped',
    title: 'Grouped',
    initiative_id: 'i',
    success_plan_id: 'p',
  }),
  actionWith({ ...NOWHERE, id: ID, title: 'Loose', success_plan_id: 'p' }),
  actionWith({ ...NOWHERE, id: 'planless', title: 'Planless', initiative_id: 'j' }),
]

beforeAll(async () => {
  vi.stubGlobal('ResizeObserver', function Observer() {
    return { observe: () => undefined, disconnect: () => undefined }
  })
  const media = { matches: true, addEventListener() {}, removeEventListener() {} }
  vi.stubGlobal('matchMedia', () => media)
  await openOffline()
  const put = {
    success_plans: [PLAN],
    initiatives: [
      initiativeWith({ id: 'i', title: 'Rollout', status: 'planned', success_plan_id: 'p' }),
      initiativeWith({ id: 'j', title: 'Other', status: 'planned', success_plan_id: null }),
    ],
    actions: ACTIONS,
    accounts: [],
  }
  await (await sync().engine()).activeReplica()?.apply({ put, deleted: [] })
})
afterEach(cleanup)

test.each(ACTIONS)('the link of $title leads to its row', async (action) => {
  render(
    <QueryProvider>
      <MemoryRouter>
        <Routes>
          <Route
            path="/"
            element={
              <ActionNeed action={action} plan={PLAN} today="2026-11-29" onTick={() => undefined} />
            }
          />
          <Route path="/initiatives" element={<InitiativeScreen />} />
          <Route
            path="/success-plans/p"
            element={<PlanInitiatives plan={PLAN} contacts={[]} today="2026-11-29" />}
          />
        </Routes>
      </MemoryRouter>
    </QueryProvider>,
  )
  fireEvent.click(screen.getByRole('link'))
  await waitFor(() => {
    expect(document.activeElement?.textContent).toBe(action.title)
    expect(document.activeElement?.closest('[data-action]')).not.toBeNull()
  }, 30_000)
})

test('the page of a plan gives the focus to the row as the address is after a reload', async () => {
  const { hash } = new URL(actionPath(ACTIONS[1] ?? actionWith()), 'https://cairn.example')
  render(
    <QueryProvider>
      <MemoryRouter initialEntries={[`/success-plans/p?show=initiatives${hash}`]}>
        <PlanInitiatives plan={PLAN} contacts={[]} today="2026-11-29" />
      </MemoryRouter>
    </QueryProvider>,
  )
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Loose'), 30_000)
})

test.each([
  { initiative_id: 'i', success_plan_id: 'p', account_id: 'a' },
  { initiative_id: 'i', success_plan_id: null, account_id: null },
  { initiative_id: null, success_plan_id: 'p', account_id: 'a' },
  { initiative_id: null, success_plan_id: null, account_id: 'a' },
])('mails and notifications have the same address as the app: %o', (parents) => {
  expect(pathOfAction({ id: 'x', ...parents })).toBe(actionPath({ id: 'x', ...parents }))
})

test('an action of an account is on its page', () => {
  expect(actionPath({ ...NOWHERE, id: 'x', account_id: 'A/7' })).toBe('/accounts/A%2F7')
  expect(actionPath({ ...NOWHERE, id: 'x' })).toBe('/initiatives')
})
