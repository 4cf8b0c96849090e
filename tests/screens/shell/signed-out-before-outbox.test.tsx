// @vitest-environment jsdom
// A sign-out that was chosen right after a start, before the outbox was read, did not ask about work that was not sent.
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { User } from '../../../contract/schemas/people.ts'
import { paletteMessages } from '../../../src/app/palette/messages.ts'
import { Palette } from '../../../src/app/palette/palette.tsx'
import { appMessages } from '../../../src/app/shell/messages.ts'
import { UserMenu } from '../../../src/app/shell/user-menu.tsx'
import { signOutMessages } from '../../../src/app/sync-centre/panel-messages.ts'
import { writeStoredSession } from '../../../src/sync/browser/session-storage.ts'
import type { EngineHandle } from '../../../src/sync/browser/start-engine.ts'
import { createSync, sync } from '../../../src/sync/client.ts'
import { ANN } from '../fixtures/offline-client.ts'
import { operationWith } from '../fixtures/record-fixtures.ts'

const ann = { id: 'ann', name: 'Ann', email: 'ann@example.com' } as User
const EDIT = operationWith({ user_id: 'ann', organisation_id: 'north' })
const onClose = vi.fn()

const PLACES = [
  ['the user menu', () => <UserMenu user={ann} />, appMessages.signOut],
  [
    'the palette',
    () => <Palette typed={() => paletteMessages.acts.signOut} onClose={onClose} />,
    paletteMessages.acts.signOut,
  ],
] as const

beforeAll(() => {
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
  // jsdom has no popovers and no modal dialogs, and lays nothing out.
  Object.assign(HTMLElement.prototype, { showPopover() {}, hidePopover() {} })
  Object.assign(HTMLDialogElement.prototype, { showModal() {}, close() {} })
  Element.prototype.checkVisibility = () => true
  Element.prototype.scrollIntoView = () => undefined
  // The page of a user whose engine is still loading.
  writeStoredSession(localStorage, { seq: 1, session: ANN })
  createSync(() => new Promise(() => undefined))
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  sync().operations.set([])
})

/** Chooses to sign out, before the outbox is read with these operations. */
async function signOutBefore(
  [, Place, name]: (typeof PLACES)[number],
  operations: (typeof EDIT)[],
) {
  const { promise: decided, resolve: decide } = Promise.withResolvers<void>()
  vi.spyOn(sync(), 'ready').mockResolvedValue({ decided } as unknown as EngineHandle)
  const signedOut = vi.spyOn(sync(), 'signOut').mockResolvedValue()
  render(
    <MemoryRouter>
      <Place />
    </MemoryRouter>,
  )
  await userEvent.click(await screen.findByText(name))
  expect(signedOut).not.toHaveBeenCalled()
  await act(async () => {
    sync().operations.set(operations)
    decide()
    await decided
  })
  return signedOut
}

test.each(PLACES)('a sign-out in %s asks about work that is read later', async (...place) => {
  const signedOut = await signOutBefore(place, [EDIT])
  expect(await screen.findByText(signOutMessages.title)).toBeTruthy()
  expect(signedOut).not.toHaveBeenCalled()
})

test.each(PLACES)('a sign-out in %s leaves where all has been sent', async (...place) => {
  const signedOut = await signOutBefore(place, [{ ...EDIT, state: 'acknowledged' }])
  await waitFor(() => expect(signedOut).toHaveBeenCalledWith('keep'))
  expect(screen.queryByText(signOutMessages.title)).toBeNull()
})
