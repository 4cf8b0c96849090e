// @vitest-environment jsdom
// A progress chosen before the plan began to follow its actions stayed in the draft, unseen: the server refused the
// note with it, and so it did after each edit.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { endpoints } from '../../../contract/endpoints.ts'
import { updateMessages } from '../../../src/features/success-plans/plan-messages.ts'
import { PendingUpdate } from '../../../src/features/success-plans/updates/pending-update.tsx'
import { UpdateComposer } from '../../../src/features/success-plans/updates/update-composer.tsx'
import { newId } from '../../../src/sync/browser/new-id.ts'
import { sync } from '../../../src/sync/client.ts'
import { draftKey, saveDraft } from '../../../src/sync/react/drafts.ts'
import { waitFor } from '../../wait-for.ts'
import { emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'
import { press } from '../fixtures/press.ts'

let plan: ReturnType<typeof planWith>
beforeAll(async () => {
  // jsdom has no media queries.
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
  await openOffline()
})
beforeEach(async () => {
  plan = planWith({ id: newId(), status: 'in-progress', progress_mode: 'auto' })
  const engine = await sync().engine()
  const replica = engine.replicaOf({ user_id: 'ann', organisation_id: 'north' })
  await replica.apply({ put: { success_plans: [{ ...plan }] }, deleted: [] })
})
afterEach(async () => {
  cleanup()
  await emptyOutbox()
})

const show = (element: React.ReactNode) =>
  render(
    <MemoryRouter>
      <QueryClientProvider client={new QueryClient()}>{element}</QueryClientProvider>
    </MemoryRouter>,
  )
const bodies = () =>
  sync()
    .operations.get()
    .map(({ input }) => input.body as { body: string; progress?: number })

test('a restored draft is posted without it', async () => {
  const draft = JSON.stringify({ body: 'They signed.', progress: 60 })
  await saveDraft(draftKey(`update:${plan.id}`) ?? [], draft)
  show(<UpdateComposer plan={plan} />)
  await screen.findByDisplayValue('They signed.')
  await press(updateMessages.post)
  await waitFor(() => expect(bodies()).toHaveLength(1))
  expect(bodies()[0]).toMatchObject({ body: 'They signed.' })
  expect(bodies()[0]?.progress).toBe(undefined)
})

test('an update that the server refused for it can be edited and sent', async () => {
  const body = { id: newId(), body: 'They signed.', progress: 60 }
  await sync().enqueue(endpoints.postPlanUpdate, { path: { id: plan.id }, body }, { ...plan })
  const [operation] = sync().operations.get()
  if (!operation) throw new Error('Nothing was queued.')
  show(<PendingUpdate operation={operation} editing isSent={false} onEditing={() => undefined} />)
  await press(updateMessages.save)
  await waitFor(() => expect(bodies()[0]?.progress).toBe(undefined))
  expect(bodies()).toMatchObject([{ body: 'They signed.' }])
})
