// @vitest-environment jsdom
// An update of which nothing is left but the status that the plan has already was “saved on this device”, and refused
// by the server.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { endpoints } from '../../../contract/endpoints.ts'
import { EMPTY_UPDATE } from '../../../contract/schemas/success-plans.ts'
import { updateMessages } from '../../../src/features/success-plans/plan-messages.ts'
import { PendingUpdate } from '../../../src/features/success-plans/updates/pending-update.tsx'
import { StatusDialog } from '../../../src/features/success-plans/updates/status-dialog.tsx'
import { newId } from '../../../src/sync/browser/new-id.ts'
import { sync } from '../../../src/sync/client.ts'
import { waitFor } from '../../wait-for.ts'
import { emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'
import { press } from '../fixtures/press.ts'

beforeAll(async () => {
  await openOffline()
  // The dialog's lazy part. Compiling it can take longer than a test waits for it.
  await import('../../../src/ui/overlay/dialog-sheet.tsx')
})
/** A plan in progress that is on this device. */
let plan: ReturnType<typeof planWith>
beforeEach(async () => {
  plan = planWith({ id: newId(), status: 'in-progress' })
  const engine = await sync().engine()
  const replica = engine.replicaOf({ user_id: 'ann', organisation_id: 'north' })
  await replica.apply({ put: { success_plans: [{ ...plan }] }, deleted: [] })
})
afterEach(async () => {
  cleanup()
  await emptyOutbox()
})

const show = (element: React.ReactNode) =>
  render(<QueryClientProvider client={new QueryClient()}>{element}</QueryClientProvider>)
const bodies = () =>
  sync()
    .operations.get()
    .map(({ input }) => input.body as object)
const queue = (body: object) =>
  sync().enqueue(
    endpoints.postPlanUpdate,
    { path: { id: plan.id }, body: { id: newId(), ...body } },
    { ...plan },
  )

test('a plan that was completed while the dialog was open is not completed again without a word', async () => {
  const completed = { ...plan, status: 'completed', outcome: 'achieved' }
  show(<StatusDialog plan={completed} to="completed" name="Complete" onClose={() => undefined} />)
  await press('Complete')
  await screen.findByText(EMPTY_UPDATE)
  expect(bodies()).toEqual([])
  await userEvent.type(screen.getByRole('textbox'), 'Thanks to all')
  await press('Complete')
  await waitFor(() => expect(bodies()).toMatchObject([{ body: 'Thanks to all' }]))
})

async function empty() {
  await userEvent.clear(await screen.findByRole('textbox'))
  await press(updateMessages.save)
}

test('a pending update that repeats the status of the plan cannot lose its text', async () => {
  const operation = await queue({ body: 'We go on', status: 'in-progress' })
  show(<PendingUpdate operation={operation} editing isSent={false} onEditing={() => undefined} />)
  await empty()
  await screen.findByText(EMPTY_UPDATE)
  expect(bodies()).toMatchObject([{ body: 'We go on' }])
})

test('a pending update that resumes a plan after the user’s own pause can lose its text', async () => {
  await queue({ body: 'No budget', status: 'paused' })
  const operation = await queue({ body: 'We go on', status: 'in-progress' })
  show(<PendingUpdate operation={operation} editing isSent={false} onEditing={() => undefined} />)
  await empty()
  await waitFor(() => expect(bodies()[1]).toMatchObject({ body: '', status: 'in-progress' }))
})
