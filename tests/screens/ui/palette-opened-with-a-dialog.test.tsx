// @vitest-environment jsdom
// The code of a dialog and that of the palette may arrive together. Both open, each makes the other inert.
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { PaletteBox } from '../../../src/app/palette/palette-box.tsx'
import { DialogSheet } from '../../../src/ui/overlay/dialog-sheet.tsx'

afterEach(cleanup)

// jsdom has neither.
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true
}
HTMLDialogElement.prototype.close = function close() {
  this.open = false
}
vi.stubGlobal('matchMedia', () => new EventTarget())

function Palette() {
  const [open, setOpen] = useState(true)
  const close = () => setOpen(false)
  return open && <PaletteBox text="" onText={close} sections={[]} state="" onClose={close} />
}

const dialog = (
  <DialogSheet open title="Complete" onClose={() => undefined}>
    <input aria-label="Note" />
  </DialogSheet>
)

test.each([
  [
    'first',
    <>
      {dialog}
      <Palette />
    </>,
  ],
  [
    'last',
    <>
      <Palette />
      {dialog}
    </>,
  ],
])('only the dialog stays when both appear at once, the dialog %s', async (_, both) => {
  render(both)
  await waitFor(() => expect(document.querySelector('dialog')).toBe(null))
  expect(screen.getByRole('dialog').textContent).toContain('Complete')
})
