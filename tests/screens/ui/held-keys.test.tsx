// @vitest-environment jsdom
// A key that was held for half a second did its work again and again: “No change” on plan after plan, or what an
// opened menu offers first.
import { cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useRef } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { pressKey } from '../../../src/app/keys/press-key.ts'
import { PaletteBox } from '../../../src/app/palette/palette-box.tsx'
import { AddAction } from '../../../src/features/actions/add-action.tsx'
import { updateMessages } from '../../../src/features/success-plans/plan-messages.ts'
import { UpdateComposer } from '../../../src/features/success-plans/updates/update-composer.tsx'
import { useReviewShortcuts } from '../../../src/features/success-plans/review/use-review-shortcuts.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { MenuPanel } from '../../../src/ui/overlay/menu-panel.tsx'
import { waitFor } from '../../wait-for.ts'
import { useRowKeys } from '../../../src/ui/list/row-keys.ts'
import { useSelectedRows } from '../../../src/ui/list/use-selected-rows.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

beforeAll(async () => {
  const media = { matches: true, addEventListener() {}, removeEventListener() {} }
  vi.stubGlobal('matchMedia', () => media)
  // jsdom has no popovers and no modal dialogs, and lays nothing out.
  Object.assign(HTMLElement.prototype, { showPopover() {}, hidePopover() {} })
  Object.assign(HTMLDialogElement.prototype, { showModal() {}, close() {} })
  Element.prototype.checkVisibility = () => true
  await openOffline()
})
afterEach(cleanup)

/** Presses a key and holds it: the browser repeats it. Returns whether the repetition has an effect of its own. */
function hold(target: Element, options: KeyboardEventInit): boolean {
  fireEvent.keyDown(target, options)
  return fireEvent.keyDown(target, { ...options, repeat: true })
}

const show = vi.fn()
const handleDone = vi.fn()
const ROWS = ['row']
const BAR = { current: null }
const itself = (id: string) => id

/** A table with one row, whose preview is closed. */
function Table() {
  const table = useRef<HTMLTableElement>(null)
  useRowKeys(table, { id: undefined, show })
  const { rows } = useSelectedRows({ order: ROWS, idNow: itself, bar: BAR, onDone: handleDone })
  return (
    <main>
      <table ref={table}>
        <tbody>
          <tr data-row="row">
            <th>
              <a href="/row">Row</a>
            </th>
            <td>
              <input
                aria-label="Select"
                type="checkbox"
                data-key="x"
                checked={rows.selected.has('row')}
                onChange={() => rows.toggle('row', false)}
              />
            </td>
          </tr>
        </tbody>
      </table>
    </main>
  )
}

test('in a review a held key goes on by one plan', () => {
  const moves = { onNext: vi.fn(), onBack: vi.fn(), onNoChange: vi.fn() }
  renderHook(() => useReviewShortcuts(moves))
  hold(document.body, { key: 'Enter', ctrlKey: true, shiftKey: true })
  hold(document.body, { key: 'ArrowRight' })
  hold(document.body, { key: 'ArrowLeft' })
  for (const move of Object.values(moves)) expect(move).toHaveBeenCalledOnce()
})

test('a held key posts an update, without an error that the next one is empty', async () => {
  const handlePosted = vi.fn()
  render(
    <MemoryRouter>
      <QueryProvider>
        <UpdateComposer plan={planWith()} onPosted={handlePosted} />
      </QueryProvider>
    </MemoryRouter>,
  )
  const field = await screen.findByRole('textbox', { name: updateMessages.label })
  await userEvent.type(field, 'They signed')
  hold(field, { key: 'Enter', ctrlKey: true })
  await waitFor(() => expect(handlePosted).toHaveBeenCalledOnce())
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true, repeat: true })
  expect(field.getAttribute('aria-invalid')).toBe(null)
})

test('a held key adds an action once', async () => {
  render(
    <MemoryRouter>
      <QueryProvider>
        <AddAction of="Onboarding" target={{ success_plan_id: 'plan', position: 1 }} />
      </QueryProvider>
    </MemoryRouter>,
  )
  const field = await screen.findByRole('textbox')
  await userEvent.type(field, 'Call them')
  expect(fireEvent.keyDown(field, { key: 'Enter' })).toBe(true)
  expect(fireEvent.keyDown(field, { key: 'Enter', repeat: true })).toBe(false)
})

test('a held key runs a command of the palette once', () => {
  const run = vi.fn()
  const items = [{ key: 'one', label: 'One', icon: () => null, run }]
  render(
    <PaletteBox
      text=""
      onText={() => {}}
      sections={[{ key: 'recent', items: items as never }]}
      state=""
      onClose={() => {}}
    />,
  )
  hold(screen.getByRole('combobox', { hidden: true }), { key: 'Enter' })
  expect(run).toHaveBeenCalledOnce()
})

test('a held Enter that has opened a menu chooses nothing in it', () => {
  const anchor = { current: document.createElement('button') }
  const panel = { current: null }
  const items = [{ label: 'Pause', onSelect: () => {} }]
  render(<MenuPanel panel={panel} anchor={anchor} label="Menu" items={items} />)
  const item = screen.getByRole('menuitem', { hidden: true })
  expect(fireEvent.keyDown(item, { key: 'Enter', repeat: true })).toBe(false)
  expect(fireEvent.keyDown(item, { key: 'Enter' })).toBe(true)
})

test('in a table held keys select a row, open its preview and reach the actions of the selection once', () => {
  const context = { user_id: 'ann', navigate: vi.fn(), showHelp: vi.fn() }
  const handleKey = (event: KeyboardEvent) => pressKey(event, context)
  window.addEventListener('keydown', handleKey)
  render(<Table />)
  const link = screen.getByRole('link')
  link.focus()
  hold(link, { key: 'x' })
  expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(true)
  hold(link, { key: ' ' })
  expect(show).toHaveBeenCalledOnce()
  // The repetition goes to the button that has the focus by then.
  expect(hold(link, { key: 'Enter', ctrlKey: true })).toBe(false)
  expect(handleDone).toHaveBeenCalledOnce()
  expect(fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true, repeat: true })).toBe(
    false,
  )
  window.removeEventListener('keydown', handleKey)
})
