// @vitest-environment jsdom
// Where the button that signs out of /organisations, or its question, did not load, an error page replaced the screen.
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { ErrorBoundary } from '../../../src/app/shell/error-boundary.tsx'
import { appMessages } from '../../../src/app/shell/messages.ts'
import { Component as Layout } from '../../../src/app/shell/layout-empty.tsx'
import { sync } from '../../../src/sync/client.ts'
import { buttonClass } from '../../../src/ui/button.tsx'
import { Toaster } from '../../../src/ui/overlay/toast.tsx'
import { waitFor } from '../../wait-for.ts'
import { openOffline } from '../fixtures/offline-client.ts'

const { missing } = vi.hoisted(() => ({
  missing: vi.fn((): never => {
    throw new TypeError('Failed to fetch dynamically imported module')
  }),
}))
vi.mock('../../../src/app/shell/signed-in.tsx', () => ({
  get SignedIn(): never {
    return missing()
  },
}))
// Work waits, and the engine, which starts meanwhile, does not say otherwise.
vi.mock(import('../../../src/app/sync-centre/sign-out.ts'), async (original) => ({
  ...(await original()),
  isWorkUnsent: () => Promise.resolve(true),
}))
vi.mock('../../../src/app/sync-centre/sign-out-dialog.tsx', () => ({
  get SignOutDialog(): never {
    return missing()
  },
}))

beforeAll(async () => {
  // What React says of errors that a boundary catches.
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  await openOffline()
})
afterEach(() => {
  cleanup()
  missing.mockClear()
})

const show = (frame: React.ReactNode) =>
  render(
    <MemoryRouter>
      <ErrorBoundary>
        <Routes>
          <Route element={frame}>
            <Route path="*" element={<p>Organisations</p>} />
          </Route>
        </Routes>
      </ErrorBoundary>
      <Toaster />
    </MemoryRouter>,
  )

test('the organisations stay without the button', async () => {
  show(<Layout />)
  await waitFor(() => expect(missing).toHaveBeenCalled())
  await act(() => vi.dynamicImportSettled())
  screen.getByText('Organisations')
})

test('the button’s place has its height before it has loaded', () => {
  show(<Layout />)
  const heights = (classes = '') => classes.split(' ').filter((name) => name.includes('min-h-'))
  const header = screen.getByRole('banner').className
  expect(heights(header)).toEqual(heights(buttonClass('quiet')))
})

test('the button stays without its question, and a message says so', async () => {
  const { SignedIn } = await vi.importActual<typeof import('../../../src/app/shell/signed-in.tsx')>(
    '../../../src/app/shell/signed-in.tsx',
  )
  vi.spyOn(sync().connection, 'get').mockReturnValue('offline')
  show(<SignedIn />)
  await userEvent.click(screen.getByRole('button', { name: appMessages.signOut }))
  await screen.findByText(appMessages.chunkOffline)
  screen.getByRole('button', { name: appMessages.signOut })
})
