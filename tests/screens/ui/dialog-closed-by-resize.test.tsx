// @vitest-environment jsdom
// A dialog is part of a layout; another layout would close it, with what was typed there.
import { act, cleanup, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { Dialog } from '../../../src/ui/overlay/dialog.tsx'
import { mediaHook } from '../../../src/ui/platform/use-desktop.ts'
import { waitFor } from '../../wait-for.ts'

// The dialog's lazy part. Compiling it can take longer than a test waits for it.
beforeAll(() => import('../../../src/ui/overlay/dialog-sheet.tsx'))
afterEach(cleanup)

/** A window that can be made narrower. */
class Query extends EventTarget {
  matches = true
}
const query = new Query()
vi.stubGlobal('matchMedia', () => query)
const useRoom = mediaHook('(min-width: 80rem)')

const resize = (isWide: boolean) =>
  act(() => {
    query.matches = isWide
    query.dispatchEvent(new Event('change'))
  })

function Record() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Edit
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Edit action">
        <input aria-label="Title" />
      </Dialog>
    </>
  )
}

function Screen() {
  return useRoom() ? (
    <aside>
      <Record />
    </aside>
  ) : (
    <main>
      <Record />
    </main>
  )
}

test('a dialog stays open with its text, and the layout changes when it is closed', async () => {
  const { container } = render(<Screen />)
  resize(false)
  expect(container.querySelector('main')).not.toBe(null)
  resize(true)
  act(() => screen.getByText('Edit').click())
  const title = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Title' })
  title.value = 'Call the harbour master'
  resize(false)
  expect(screen.getByRole('textbox', { name: 'Title' })).toBe(title)
  act(() => screen.getByRole('button', { name: 'Close' }).click())
  await waitFor(() => expect(container.querySelector('main')).not.toBe(null))
  expect(screen.queryByRole('textbox', { name: 'Title' })).toBe(null)
})
