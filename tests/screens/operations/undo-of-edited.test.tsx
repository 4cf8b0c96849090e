// @vitest-environment jsdom
// An update that was posted for many plans and edited before it was sent could not be undone: it has another id then.
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { changePlans } from '../../../src/features/success-plans/bulk/change-plans.ts'
import { sync } from '../../../src/sync/client.ts'
import { Toaster } from '../../../src/ui/overlay/toast.tsx'
import { changeManyMessages as messages } from '../../../src/widgets/editing/messages.ts'
import { waitFor } from '../../wait-for.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)
afterEach(cleanup)

test('the undo of a change of many plans also removes an update that was edited meanwhile', async () => {
  render(<Toaster />)
  const plans = ['north-1', 'north-2'].map((id) => planWith({ id, title: id }))
  await changePlans(plans, { kind: 'health', health: 'at-risk', body: 'No budget' })
  const [{ id, input } = { id: '', input: {} }] = sync().operations.get()
  await sync().outbox.edit(id, { ...(input.body as object), body: 'No budget yet' })
  await userEvent.click(await screen.findByRole('button', { name: messages.undo }))
  await waitFor(() => expect(sync().operations.get()).toEqual([]))
  await screen.findByText(messages.undone(2, 2, (count) => `${count} plans`))
})
