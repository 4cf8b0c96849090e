// @vitest-environment jsdom
// On a keyboard without Latin letters, such as a Russian one, shortcuts with Ctrl did nothing. On one with other
// Latin letters, such as a Turkish one, `ğ` ran the shortcut of the letter that English keyboards have on that key.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { PaletteHost } from '../../../src/app/palette/palette-host.tsx'
import { useSelectedRows } from '../../../src/ui/list/use-selected-rows.ts'
import { MenuPanel } from '../../../src/ui/overlay/menu-panel.tsx'
import { shortcutLetter } from '../../../src/ui/platform/keyboard.ts'
import { toast, Toaster } from '../../../src/ui/overlay/toast.tsx'
import { openOffline } from '../fixtures/offline-client.ts'

const handlePalette = vi.fn(() => null)
vi.mock('../../../src/app/palette/palette.tsx', () => ({ Palette: handlePalette }))

beforeAll(async () => void (await openOffline()))
afterEach(cleanup)

/** The same key of three keyboards. */
const layoutsOf = (code: string, russian: string, greek: string) => [
  { key: russian, code, ctrlKey: true },
  { key: greek, code, metaKey: true },
  { key: code.slice(3), code, ctrlKey: true },
]

test.each(layoutsOf('KeyK', 'л', 'κ'))('$key with Ctrl or ⌘ opens the palette', async (key) => {
  handlePalette.mockClear()
  render(
    <MemoryRouter>
      <PaletteHost />
    </MemoryRouter>,
  )
  expect(fireEvent.keyDown(document.body, key)).toBe(false)
  await act(() => vi.dynamicImportSettled())
  expect(handlePalette).toHaveBeenCalled()
})

test.each(layoutsOf('KeyK', 'л', 'κ'))('before the app listens, $key is not the browser’s', (key) =>
  expect(isPreventedEarly(key)).toBe(true),
)

/** Whether the boot script keeps the key from the browser. */
function isPreventedEarly(key: KeyboardEventInit) {
  const listeners: ((event: KeyboardEventInit & { preventDefault: () => void }) => void)[] = []
  const page = { addEventListener: (_: string, listener: never) => listeners.push(listener) }
  const script = readFileSync('src/app/boot/boot-script.js', 'utf8')
  const [, ofKeys = ''] = /^(addEventListener\('keydown'.*?)^\/\//ms.exec(script) ?? []
  runInNewContext(ofKeys, { ...page, window: page })
  const preventDefault = vi.fn()
  for (const listener of listeners) listener({ ...key, preventDefault })
  return preventDefault.mock.calls.length > 0
}

// Turkish F and bépo keyboards have the letters of shortcuts elsewhere.
test.each([
  ['ğ', 'KeyE'],
  ['à', 'KeyZ'],
  ['è', 'KeyK'],
  ['Ö', 'KeyK'],
])('%s of %s is no letter of a shortcut', (key, code) => {
  expect(shortcutLetter({ key, code })).toBe(key.toLowerCase())
  expect(isPreventedEarly({ key, code, ctrlKey: true })).toBe(false)
})

test.each(layoutsOf('KeyZ', 'я', 'ζ'))('$key with Ctrl or ⌘ presses the undo', async (key) => {
  const handleUndo = vi.fn()
  render(
    <MemoryRouter>
      <PaletteHost />
      <Toaster />
    </MemoryRouter>,
  )
  act(() => toast('Plan deleted', { label: 'Undo', onSelect: handleUndo }))
  fireEvent.keyDown(document.body, { key: 'Control', ctrlKey: true })
  await vi.dynamicImportSettled()
  expect(fireEvent.keyDown(document.body, key)).toBe(false)
  expect(handleUndo).toHaveBeenCalledOnce()
})

const ORDER = ['one', 'two']
const BAR = { current: null }
const itself = (id: string) => id

function List() {
  const { rows } = useSelectedRows({
    order: ORDER,
    idNow: itself,
    bar: BAR,
    onDone: () => undefined,
  })
  return (
    <div data-row="one">
      <a href="/one">{[...rows.selected].join(' ')}</a>
    </div>
  )
}

test.each(layoutsOf('KeyA', 'ф', 'α'))('$key with Ctrl or ⌘ selects all rows', (key) => {
  render(<List />)
  const link = screen.getByRole('link')
  expect(fireEvent.keyDown(link, key)).toBe(false)
  expect(link.textContent).toBe('one two')
})

test.each(['e', 'E', 'у', 'ε'])('%s chooses the item of a menu that has the key', (key) => {
  const handleEdit = vi.fn()
  const panel = { current: Object.assign(document.createElement('div'), { hidePopover() {} }) }
  const items = [
    { label: 'Pause', onSelect() {} },
    { label: 'Change', onSelect: handleEdit, keys: 'E' },
  ]
  render(<MenuPanel panel={panel} anchor={{ current: null }} label="Menu" items={items} />)
  const menu = screen.getByRole('menu', { hidden: true })
  Object.assign(menu, { hidePopover() {} })
  fireEvent.keyDown(menu, { key, code: 'KeyE' })
  expect(handleEdit).toHaveBeenCalledOnce()
})
