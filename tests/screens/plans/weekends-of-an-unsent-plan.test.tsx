// @vitest-environment jsdom
// The actions of a plan that was made offline move to the next working day: its form shows that as off, and cannot turn
// it off.
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { blankRecords } from '../../../contract/resource-schemas.ts'
import { createRecord } from '../../../src/data/change-records.ts'
import { recordsQuery } from '../../../src/data/record-queries.ts'
import { PlanForm } from '../../../src/features/success-plans/form/plan-form.tsx'
import { sync } from '../../../src/sync/client.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

/** Its action is due on a Saturday. */
const TEMPLATE = {
  ...blankRecords.templates,
  id: '01980000-0000-7000-8000-0000000000b1',
  title: 'Rollout',
  type: 'project',
  duration_days: 30,
  initiatives: [
    {
      title: 'Set up',
      description: null,
      start_offset_days: 0,
      end_offset_days: 10,
      actions: [{ title: 'Kick off', description: null, due_offset_days: 5, assignee_role: null }],
    },
  ],
  version: 1,
}
const MONDAY = '2026-03-02'

beforeAll(openOffline)
beforeEach(() => {
  queryClient.setQueryData(recordsQuery('templates').queryKey, [TEMPLATE])
  queryClient.setQueryData(recordsQuery('accounts').queryKey, [])
})
afterEach(async () => {
  cleanup()
  await emptyOutbox()
})

async function openUnsent(skip_weekends?: boolean) {
  const fields = {
    title: 'Roll out alerts',
    type: 'project' as const,
    template_id: TEMPLATE.id,
    start_date: MONDAY,
    end_date: '2026-04-01',
    ...(skip_weekends !== undefined && { skip_weekends }),
  }
  const id = await createRecord('success_plans', fields)
  const plan = planWith({ ...blankRecords.success_plans, ...fields, id, version: 0 })
  render(
    <MemoryRouter>
      <QueryProvider>
        <PlanForm plan={plan} onDone={() => undefined} onCancel={() => undefined} />
      </QueryProvider>
    </MemoryRouter>,
  )
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: /working day/ })
  const save = async () => userEvent.click(screen.getByRole('button', { name: 'Save changes' }))
  return { box, save }
}
const sent = () =>
  sync()
    .operations.get()
    .map(({ input }) => input.body as object)

test('the box of an unsent plan is ticked as it was, and can be cleared', async () => {
  const { box, save } = await openUnsent(true)
  expect(box.checked).toBe(true)
  await userEvent.click(box)
  await save()
  await waitFor(() => expect(sent()).toMatchObject([{ skip_weekends: false, start_date: MONDAY }]))
})

test('a box that was clear can be ticked', async () => {
  const { box, save } = await openUnsent()
  expect(box.checked).toBe(false)
  await userEvent.click(box)
  await save()
  await waitFor(() => expect(sent()).toMatchObject([{ skip_weekends: true }]))
})

test('a change of another field leaves the box as it is', async () => {
  const { save } = await openUnsent(true)
  await userEvent.type(screen.getByRole('textbox', { name: 'Title' }), ' soon')
  await save()
  await waitFor(() =>
    expect(sent()).toMatchObject([{ title: 'Roll out alerts soon', skip_weekends: true }]),
  )
})
