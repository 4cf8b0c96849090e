// @vitest-environment jsdom
// A part that the app can do without was not loaded, as behind a blocker, and an error page replaced the app.
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { nextBuild } from '../../../src/app/boot/next-build.ts'
import { openPalette } from '../../../src/app/palette/open-palette.ts'
import { ErrorBoundary } from '../../../src/app/shell/error-boundary.tsx'
import { Frame } from '../../../src/app/shell/layout-default.tsx'
import { appMessages } from '../../../src/app/shell/messages.ts'
import { Root } from '../../../src/app/shell/root.tsx'
import { sync } from '../../../src/sync/client.ts'
import { waitFor } from '../../wait-for.ts'
import { openOffline } from '../fixtures/offline-client.ts'

const { missing } = vi.hoisted(() => ({
  missing: vi.fn((): never => {
    throw new TypeError('Failed to fetch dynamically imported module')
  }),
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
    await screen.findByText(appMessages.chunkOffline)
    screen.getByText('The screen')
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  }
  expect(screen.queryByRole('heading')).toBe(null)
})
