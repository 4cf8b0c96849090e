// @vitest-environment jsdom
// When signing out, the button that discards unsent work for good looked like the one that keeps it.
import { act, cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { SignOutDialog } from '../../../src/app/sync-centre/sign-out-dialog.tsx'
import { signOutMessages as messages } from '../../../src/app/sync-centre/panel-messages.ts'
import { sync } from '../../../src/sync/client.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { posting } from '../fixtures/record-fixtures.ts'

beforeAll(async () => {
  await openOffline()
  // The dialog's lazy part. Compiling it can take longer than a test waits for it.
  await import('../../../src/ui/overlay/dialog-sheet.tsx')
})
afterEach(cleanup)

test('of the buttons for unsent work only the one that discards it has the colour of deletions', async () => {
  const user_id = sync().session.current()?.user.id ?? ''
  act(() => sync().operations.set([{ ...posting({ body: 'Waits.' }), user_id }]))
  render(
    <MemoryRouter>
      <SignOutDialog onClose={() => undefined} />
    </MemoryRouter>,
  )
  await screen.findByRole('button', { name: messages.discard })
  const { discard, keep, sendNow } = messages
  const isMarked = (name: string) => screen.getByText(name).classList.contains('text-danger-ink')
  expect([discard, keep, sendNow].map(isMarked)).toEqual([true, false, false])
})
