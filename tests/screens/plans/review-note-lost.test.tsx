// @vitest-environment jsdom
// In the review the note of a status change was deleted when saving it failed.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test, vi } from 'vitest'
import type { ViewContext } from '../../../src/features/success-plans/list/view.ts'
import { planScreenMessages } from '../../../src/features/success-plans/plan-messages.ts'
import { PlanChanges } from '../../../src/features/success-plans/review/plan-changes.tsx'
import { sync } from '../../../src/sync/client.ts'
import { StorageFullError } from '../../../src/sync/core/ports.ts'
import { editingMessages } from '../../../src/widgets/editing/messages.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

beforeAll(async () => {
  // jsdom has no popovers: the menu is in the page, open or not.
  Object.assign(HTMLElement.prototype, { showPopover() {}, hidePopover() {} })
  await openOffline()
})

test('the note of a status change in the review stays in its dialog when it cannot be saved', async () => {
  const note = 'Waiting for the contract'
  const onStep = vi.fn(async () => {})
  const context = { nameOf: () => undefined } as unknown as ViewContext
  const props = { context, onStep, onQuickUpdate: async () => {} }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PlanChanges plan={planWith()} {...props} />
    </QueryClientProvider>,
  )
  await userEvent.click(screen.getByRole('button', { name: planScreenMessages.changeStatus }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Pause', hidden: true }))
  await userEvent.type(await screen.findByRole('textbox'), note)
  vi.spyOn(sync(), 'enqueue').mockRejectedValue(new StorageFullError())
  await userEvent.click(screen.getByRole('button', { name: 'Pause' }))
  expect(await screen.findByText(editingMessages.full)).toBeTruthy()
  expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe(note)
  expect(onStep).not.toHaveBeenCalled()
})
