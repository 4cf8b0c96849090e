// @vitest-environment jsdom
// An action was deleted from its dialog with what a colleague had written meanwhile, which the dialog did not show.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { Action } from '../../../contract/schemas/actions.ts'
import { ActionDialog } from '../../../src/features/actions/action-dialog.tsx'
import { sync } from '../../../src/sync/client.ts'
import { editingMessages } from '../../../src/widgets/editing/messages.ts'
import { emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
import { actionWith } from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)
afterEach(async () => {
  cleanup()
  await emptyOutbox()
})

test('a deletion is compared with the action as its dialog shows it', async () => {
  const opened = actionWith({ created_by: 'ann', version: 3, description: 'Short' })
  const client = new QueryClient()
  const dialog = (action: Action) => (
    <QueryClientProvider client={client}>
      <ActionDialog action={action} contacts={[]} onClose={() => undefined} />
    </QueryClientProvider>
  )
  const { rerender } = render(dialog(opened))
  await screen.findByDisplayValue('Short')
  rerender(dialog({ ...opened, version: 4, description: 'All that a colleague found out' }))
  screen.getByDisplayValue('Short')
  await userEvent.click(screen.getByRole('button', { name: editingMessages.delete }))
  await waitFor(() => expect(sync().operations.get()).toHaveLength(1))
  expect(sync().operations.get()).toMatchObject([
    { endpoint: 'deleteAction', base: { version: 3, fields: { description: 'Short' } } },
  ])
})
