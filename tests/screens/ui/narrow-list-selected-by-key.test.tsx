// @vitest-environment jsdom
// A list on a narrow screen has no checkboxes until something in it is selected, and keys pass over it.
import 'fake-indexeddb/auto'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { pressKey } from '../../../src/app/keys/press-key.ts'
import { createSync, sync } from '../../../src/sync/client.ts'
import { BulkSelection, type SelectableRows } from '../../../src/ui/list/bulk/bulk-selection.tsx'
import { LongList } from '../../../src/ui/list/long-list.tsx'

// jsdom has no layout and no media queries.
beforeAll(() => {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
  vi.stubGlobal('ResizeObserver', function Observer() {
    return { observe: () => {}, disconnect: () => {} }
  })
  createSync(() => Promise.reject(new Error('No engine.')))
})
afterEach(cleanup)

const navigate = vi.fn()
const context = { user_id: 'ada', navigate, showHelp: () => undefined }
const ALL = [{ id: 'ada' }, { id: 'bo' }]

function List() {
  const [rows, setRows] = useState<SelectableRows>()
  const [isSelecting, setSelecting] = useState(false)
  const chosen = rows?.checkboxes
  const row = ({ id }: { id: string }) =>
    chosen ? (
      <input
        type="checkbox"
        data-key="x"
        aria-label={id}
        checked={chosen.selected.has(id)}
        onChange={() => chosen.toggle(id, false)}
      />
    ) : (
      <a href={`/initiatives?open=${id}`}>{id}</a>
    )
  return (
    <>
      <BulkSelection
        label="Selected"
        shown={ALL}
        all={ALL}
        idNow={(id) => id}
        isSelecting={isSelecting}
        onSelecting={setSelecting}
        onRows={setRows}
        Actions={() => null}
        Editor={() => null}
        context={undefined}
      />
      <p data-row="group of both">Group</p>
      <LongList
        label="Names"
        items={ALL}
        idOf={({ id }) => id}
        row={row}
        className=""
        rowClassName=""
      />
    </>
  )
}

const press = (key: string) => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
  document.activeElement?.dispatchEvent(event)
  pressKey(event, context)
}
const bar = () => screen.queryByRole('region', { name: 'Selected' })

test('x begins a selection with the row that has the focus, which then has its checkbox', async () => {
  render(<List />)
  screen.getByRole('link', { name: 'bo' }).focus()
  press('x')
  const checkbox = await screen.findByRole('checkbox', { name: 'bo', checked: true })
  await waitFor(() => expect(document.activeElement).toBe(checkbox))
  press('x')
  await screen.findByRole('checkbox', { name: 'bo', checked: false })
})

test('a selection that is ended by the button of its bar gives the focus back to the row', async () => {
  render(<List />)
  screen.getByRole('link', { name: 'bo' }).focus()
  press('x')
  const end = await screen.findByRole('button', { name: 'Clear selection' })
  end.focus()
  fireEvent.click(end)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'bo' })))
  expect(bar()).toBe(null)
})

test('e opens the form of an initiative, whose address is that of its list', () => {
  render(<List />)
  screen.getByRole('link', { name: 'ada' }).focus()
  press('e')
  expect(navigate).toHaveBeenLastCalledWith('/initiatives?open=ada&edit')
})

test('a long press on the heading of a group selects nothing, and leaves the browser its menu', () => {
  render(<List />)
  const pressLong = (element: Element) =>
    fireEvent(
      element,
      new PointerEvent('contextmenu', { bubbles: true, cancelable: true, pointerType: 'touch' }),
    )
  expect(pressLong(screen.getByText('Group'))).toBe(true)
  expect(bar()).toBeNull()
  expect(pressLong(screen.getByRole('link', { name: 'ada' }))).toBe(false)
  expect(bar()).not.toBeNull()
})

test('g t leads to the templates only where the server has some', () => {
  render(<List />)
  screen.getByRole('link', { name: 'ada' }).focus()
  navigate.mockClear()
  for (const [names, calls] of [
    ['', 0],
    ['ids,templates', 1],
  ] as const) {
    sync().capabilities.set(names)
    press('g')
    press('t')
    expect(navigate).toHaveBeenCalledTimes(calls)
  }
})
