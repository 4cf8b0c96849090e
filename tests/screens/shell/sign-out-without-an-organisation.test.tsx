// @vitest-environment jsdom
// Without an active organisation there is no user menu, and nobody could sign out.
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test, vi, type MockInstance } from 'vitest'
import { Palette } from '../../../src/app/palette/palette.tsx'
import { paletteMessages } from '../../../src/app/palette/messages.ts'
import { appMessages } from '../../../src/app/shell/messages.ts'
import { Component as Layout } from '../../../src/app/shell/layout-empty.tsx'
import { signOutMessages } from '../../../src/app/sync-centre/panel-messages.ts'
import { sync, type SyncClient } from '../../../src/sync/client.ts'
import { waitFor } from '../../wait-for.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { posting } from '../fixtures/record-fixtures.ts'

beforeAll(async () => {
  await openOffline()
  // Lazy parts. Compiling them can take longer than a test waits for them.
  await import('../../../src/app/sync-centre/sign-out-dialog.tsx')
  await import('../../../src/app/shell/signed-in.tsx')
  await import('../../../src/ui/overlay/dialog-sheet.tsx')
})
let signOut: MockInstance<SyncClient['signOut']>
beforeEach(() => {
  const stored = sync().storedSession.get()
  if (!stored.session) throw new Error('Nobody is signed in.')
  const session = { ...stored.session, active_organisation: null }
  act(() => sync().storedSession.set({ ...stored, session }))
  signOut = vi.spyOn(sync(), 'signOut').mockResolvedValue()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const show = () =>
  render(
    <MemoryRouter initialEntries={['/organisations']}>
      <Routes>
        <Route element={<Layout />}>
          <Route path="*" element={<p>Organisations</p>} />
        </Route>
      </Routes>
    </MemoryRouter>,
  )

test('the frame of the organisations has a sign-out', async () => {
  show()
  await userEvent.click(await screen.findByRole('button', { name: appMessages.signOut }))
  await waitFor(() => expect(signOut).toHaveBeenCalledWith('keep'))
})

test('it asks what to do with work that was not sent', async () => {
  const session = sync().session.current()
  if (!session) throw new Error('Nobody is signed in.')
  const waiting = { ...posting({ body: 'Waits.' }), user_id: session.user.id }
  act(() => sync().operations.set([waiting]))
  show()
  await userEvent.click(await screen.findByRole('button', { name: appMessages.signOut }))
  await screen.findByText(signOutMessages.title)
  expect(signOut).not.toHaveBeenCalled()
  act(() => sync().operations.set([]))
})

test('the palette has it too', async () => {
  // jsdom has none of these.
  Element.prototype.scrollTo = () => undefined
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      this.open = true
    },
    close(this: HTMLDialogElement) {
      this.open = false
    },
  })
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
  render(
    <MemoryRouter>
      <Palette typed={() => ''} onClose={() => undefined} />
    </MemoryRouter>,
  )
  await userEvent.click(await screen.findByRole('option', { name: paletteMessages.acts.signOut }))
  await waitFor(() => expect(signOut).toHaveBeenCalledWith('keep'))
  expect(screen.queryByRole('option', { name: paletteMessages.acts.newAccount })).toBe(null)
})
