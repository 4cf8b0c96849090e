// @vitest-environment jsdom
// Discard of an operation that was being sent by then said nothing, or "Discarded", though it was sent.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../../contract/endpoints.ts'
import { operationMessages } from '../../../src/data/operations/messages.ts'
import { sync } from '../../../src/sync/client.ts'
import { Toaster } from '../../../src/ui/overlay/toast.tsx'
import { PendingOperation } from '../../../src/widgets/operations/pending-operation.tsx'
import { emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
import { PLAN_ID } from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)
afterEach(async () => {
  cleanup()
  await emptyOutbox()
})

test('Discard that is too late says so, and leaves the operation', async () => {
  const operation = await sync().enqueue(endpoints.postPlanUpdate, {
    path: { id: PLAN_ID },
    body: { id: crypto.randomUUID(), body: 'Budget confirmed.' },
  })
  render(
    <MemoryRouter>
      <QueryClientProvider client={new QueryClient()}>
        <PendingOperation operation={operation} />
        <Toaster />
      </QueryClientProvider>
    </MemoryRouter>,
  )
  const engine = await sync().engine()
  await engine.outbox.claim([operation.id])
  await userEvent.click(screen.getByRole('button', { name: operationMessages.discard }))
  expect(await screen.findByText(operationMessages.notDiscarded)).toBeTruthy()
  expect(await engine.outbox.all()).toMatchObject([{ id: operation.id, attempts: 1 }])
})
