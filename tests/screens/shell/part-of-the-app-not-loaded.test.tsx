// @vitest-environment jsdom
// A part that the app can do without was not loaded, as behind a blocker, and an error page replaced the app. The
// message about what was opened spoke of the screen, and asked people with a network to connect.
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { nextBuild } from '../../../src/app/boot/next-build.ts'
import { openPalette } from '../../../src/app/palette/open-palette.ts'
import { ErrorBoundary } from '../../../src/app/shell/error-boundary.tsx'
import { Frame } from '../../../src/app/shell/layout-default.tsx'
import { appMessages } from '../../../src/app/shell/messages.ts'
import { reload } from '../../../src/app/shell/reload.ts'
import { Root } from '../../../src/app/shell/root.tsx'
import { sync } from '../../../src/sync/client.ts'
import { Toaster } from '../../../src/ui/overlay/toast.tsx'
import { waitFor } from '../../wait-for.ts'
import { openOffline } from '../fixtures/offline-client.ts'

const { missing } = vi.hoisted(() => ({
  missing: vi.fn((): never => {
    throw new TypeError('Failed to fetch dynamically imported module')
  }),
}))
vi.mock(import('../../../src/app/shell/reload.ts'), () => ({
  reload: vi.fn(),
  mayReload: () => false,
}))
vi.mock('../../../src/app/shell/update-prompt.tsx', missing)
vi.mock('../../../src/app/shell/user-menu.tsx', missing)
vi.mock('../../../src/app/navigation/focus-memory.tsx', missing)
vi.mock('../../../src/app/telemetry/telemetry.tsx', missing)
vi.mock('../../../src/features/away/presence.tsx', missing)
// With the words of the browser, which a factory that throws does not keep.
vi.mock('../../../src/app/palette/palette.tsx', () => ({
  get Palette(): never {
    return missing()
  },
}))
vi.mock('../../../src/app/sync-centre/sync-panel.tsx', () => ({
  get SyncPanel(): never {
    return missing()
  },
}))

beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
  // What React says of errors that a boundary catches.
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  await openOffline()
})
afterEach(cleanup)

test('the screen stays, and what was opened over it closes with a message', async () => {
  nextBuild.set('ready')
  const screenShown = (
    <Frame>
      <p>The screen</p>
    </Frame>
  )
  render(
    <MemoryRouter>
      <ErrorBoundary>
        <Routes>
          <Route element={<Root />}>
            <Route path="*" element={screenShown} />
          </Route>
        </Routes>
      </ErrorBoundary>
    </MemoryRouter>,
  )
  await screen.findByText('The screen')
  await waitFor(() => expect(missing).toHaveBeenCalledTimes(5))
  // In place of the menu, which has the settings.
  const settings = await screen.findByRole('link', { name: appMessages.settings })
  expect(settings.getAttribute('href')).toBe('/settings')
  const openSyncCentre = async () =>
    userEvent.click(await screen.findByRole('button', { name: /^Sync: / }))
  act(() => sync().connection.set('offline'))
  // Not only once.
  for (const open of [async () => openPalette(), async () => openPalette(), openSyncCentre]) {
    await open()
    await act(() => vi.dynamicImportSettled())
    // Once, however often it is opened.
    expect(await screen.findAllByText(appMessages.chunkOffline)).toHaveLength(1)
    screen.getByText('The screen')
  }
  act(() => sync().connection.set('online'))
  openPalette()
  await screen.findByText(appMessages.chunkFailed)
  expect(reload).not.toHaveBeenCalled()
  const buttons = screen.getAllByRole('button', { name: appMessages.reload })
  await userEvent.click(buttons.at(-1)!)
  expect(reload).toHaveBeenCalled()
  expect(screen.queryByRole('heading')).toBe(null)
})

test('a part that fails closes, with a message that does not speak of the screen', async () => {
  function Sheet(): never {
    throw new Error('A field is missing.')
  }
  function Page() {
    const [isOpen, setOpen] = useState(true)
    return (
      <>
        <p>The screen</p>
        <ErrorBoundary onFailed={() => setOpen(false)}>{isOpen && <Sheet />}</ErrorBoundary>
        <Toaster />
      </>
    )
  }
  render(<Page />, { wrapper: MemoryRouter })
  await screen.findByText(appMessages.partFailed)
  screen.getByText('The screen')
})
