// @vitest-environment jsdom
// A message that offers an undo for eight seconds is behind everything that takes the focus, so that by keyboard it was
// gone before it was reached.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { PaletteHost } from '../../../src/app/palette/palette-host.tsx'
import { shortcutMessages } from '../../../src/app/palette/shortcut-messages.ts'
import { dismissToasts, toast, Toaster } from '../../../src/ui/overlay/toast.tsx'
import { setSingleKeys } from '../../../src/ui/platform/set-single-keys.ts'
import { ANN, openOffline } from '../fixtures/offline-client.ts'

beforeAll(async () => {
  await openOffline()
  // It does not depend on the setting of single keys.
  setSingleKeys(ANN.user.id, false)
})

const first = vi.fn()
const last = vi.fn()

beforeEach(async () => {
  render(
    <MemoryRouter>
      <button>Somewhere</button>
      <input aria-label="Name" />
      <input aria-label="Done" type="checkbox" />
      <textarea aria-label="Note" />
      <PaletteHost />
      <Toaster />
    </MemoryRouter>,
  )
  act(() => {
    toast('Plan deleted', { label: 'Undo', onSelect: first })
    toast('Contact removed', { label: 'Undo', onSelect: last })
    toast('48 plans exported')
  })
  // What keys do is loaded while the modifier is pressed.
  press(document.body, { key: 'Control', ctrlKey: true })
  await vi.dynamicImportSettled()
})
afterEach(() => {
  act(() => {
    for (const text of ['Plan deleted', 'Contact removed', 'Saved as a template'])
      dismissToasts(text)
  })
  cleanup()
  vi.clearAllMocks()
})

const CTRL_Z = { key: 'z', ctrlKey: true }
/** Returns whether the browser does what it does with the key. */
const press = (target: Element, key: KeyboardEventInit) => fireEvent.keyDown(target, key)

test('Ctrl+Z presses the newest undo, and again the one before', () => {
  expect(press(document.body, CTRL_Z)).toBe(false)
  expect(last).toHaveBeenCalledOnce()
  expect(screen.queryByText('Contact removed')).toBe(null)
  expect(first).not.toHaveBeenCalled()
  expect(press(screen.getByRole('button', { name: 'Somewhere' }), CTRL_Z)).toBe(false)
  expect(first).toHaveBeenCalledOnce()
  // None is left.
  expect(press(document.body, CTRL_Z)).toBe(true)
})

test('⌘ Z presses the newest undo as well; the key of redo and a held key do not', () => {
  expect(press(document.body, { key: 'Z', metaKey: true })).toBe(false)
  expect(last).toHaveBeenCalledOnce()
  expect(press(document.body, { ...CTRL_Z, shiftKey: true })).toBe(true)
  expect(press(document.body, { ...CTRL_Z, repeat: true })).toBe(true)
  expect(press(document.body, { key: 'z' })).toBe(true)
  expect(first).not.toHaveBeenCalled()
})

test('in a text field Ctrl+Z is the undo of the browser', () => {
  expect(press(screen.getByLabelText('Done'), CTRL_Z)).toBe(false)
  expect(press(screen.getByLabelText('Name'), CTRL_Z)).toBe(true)
  expect(press(screen.getByLabelText('Note'), CTRL_Z)).toBe(true)
  expect(first).not.toHaveBeenCalled()
})

test('Ctrl+Z presses no button of a message that opens something', () => {
  const show = vi.fn()
  act(() => toast('Saved as a template', { label: 'Show', onSelect: show, opens: true }))
  expect(press(document.body, CTRL_Z)).toBe(false)
  expect(show).not.toHaveBeenCalled()
  expect(last).toHaveBeenCalledOnce()
})

test('the list of shortcuts has Ctrl+Z', () => {
  const [everywhere] = shortcutMessages.groups
  expect(everywhere.keys.map(([pressed]) => pressed)).toContain('Ctrl + Z')
})
