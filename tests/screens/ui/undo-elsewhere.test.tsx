// @vitest-environment jsdom
// The undo of a deleted view, pressed after another organisation was opened, wrote the view there; and what one user
// had done was offered to the next one to be undone.
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startInstalledApp } from '../../../src/app/boot/installed-app.ts'
import { sync } from '../../../src/sync/client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { Toaster } from '../../../src/ui/overlay/toast.tsx'
import { tableMessages as messages } from '../../../src/widgets/table/messages.ts'
import { ViewsPanel } from '../../../src/widgets/table/views-panel.tsx'
import { ANN, openOffline } from '../fixtures/offline-client.ts'
import { press } from '../fixtures/press.ts'

beforeAll(async () => startInstalledApp(await openOffline(), ANN.user.id))
afterEach(cleanup)

/** Removes the panel, which a user who is signed out does not see. */
let close: () => void

/** Ann deletes her view “Q4”. */
beforeEach(async () => {
  render(<Toaster />)
  close = render(
    <MemoryRouter>
      <QueryProvider>
        <ViewsPanel list="plans" search="health=at-risk" />
      </QueryProvider>
    </MemoryRouter>,
  ).unmount
  await userEvent.type(await screen.findByRole('textbox', { name: messages.name }), 'Q4')
  await press(messages.save)
  await press(messages.remove('Q4'))
  await screen.findByRole('button', { name: messages.undo })
})

const viewsIn = async (organisation_id: string) =>
  await (
    await sync().engine()
  )
    .replicaOf({ user_id: ANN.user.id, organisation_id })
    .getValue('saved-views')

test('the view comes back to its own organisation, and after a switch not to the other one', async () => {
  await press(messages.undo)
  await screen.findByText('Q4')
  await press(messages.remove('Q4'))
  await act(() => sync().chooseOrganisation({ id: 'south' }))
  await press(messages.undo)
  await screen.findByText(messages.undoTooLate)
  expect(await viewsIn('south')).toBe(undefined)
  expect(await viewsIn('north')).toEqual([])
  await act(() => sync().chooseOrganisation(ANN.active_organisation))
})

test('when the user signs out it is not offered any more', async () => {
  close()
  await act(() => sync().signOut('keep'))
  expect(screen.queryByRole('button', { name: messages.undo })).toBe(null)
})
