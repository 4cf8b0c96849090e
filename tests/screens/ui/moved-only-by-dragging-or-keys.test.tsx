// @vitest-environment jsdom
// The rows of a list could be moved only by dragging and with the arrow keys, not with single clicks (WCAG 2.5.7).
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { SortableList } from '../../../src/ui/list/sortable-list.tsx'

beforeAll(() => {
  // jsdom has no popovers, captures no pointers and lays nothing out.
  Element.prototype.getBoundingClientRect = function box(this: Element) {
    const at = [...(this.parentElement?.children ?? [])].indexOf(this)
    return new DOMRect(0, at * 40, 200, 40)
  }
  const toggle = (element: HTMLElement, newState: string) =>
    fireEvent(element, Object.assign(new Event('toggle'), { newState }))
  Object.assign(HTMLElement.prototype, {
    setPointerCapture() {},
    showPopover(this: HTMLElement) {
      toggle(this, 'open')
    },
    hidePopover(this: HTMLElement) {
      toggle(this, 'closed')
    },
  })
})
afterEach(cleanup)

const rowOf = (title: string, handle: ReactNode) => (
  <>
    {title}
    {handle}
  </>
)

/** Renders the rows; the result shows others. */
function show() {
  const listOf = (rows: readonly string[]) => (
    <SortableList
      label="Steps"
      items={rows}
      idOf={String}
      titleOf={String}
      onMove={(from, to) => set(rows.toSpliced(from, 1).toSpliced(to, 0, rows[from] ?? ''))}
      row={rowOf}
    />
  )
  const set = (rows: readonly string[]) => rerender(listOf(rows))
  const { rerender } = render(listOf(['First', 'Second', 'Third']))
  return set
}
const order = () => screen.getAllByRole('listitem').map((row) => row.textContent)
const handleOf = (title: string) => screen.getByRole('button', { name: `Move “${title}”` })
const choices = () =>
  screen.queryAllByRole('menuitem', { hidden: true }).map((item) => item.textContent)
const choose = (label: string) =>
  userEvent.click(screen.getByRole('menuitem', { name: label, hidden: true }))

test('a click on the handle opens a menu that moves the row, announces it and returns the focus', async () => {
  show()
  await userEvent.click(handleOf('Second'))
  expect(handleOf('Second').ariaExpanded).toBe('true')
  await choose('Move down')
  expect(order()).toEqual(['First', 'Third', 'Second'])
  expect(screen.getByRole('status').textContent).toBe('“Second” is now 3 of 3')
  expect(document.activeElement).toBe(handleOf('Second'))
  expect(choices()).toEqual([])
  await userEvent.click(handleOf('Third'))
  await choose('Move up')
  expect(order()).toEqual(['Third', 'First', 'Second'])
})

test.each([
  ['First', ['Move down']],
  ['Second', ['Move up', 'Move down']],
  ['Third', ['Move up']],
])('the menu of %s offers only where the row can go', async (title, offered) => {
  show()
  await userEvent.click(handleOf(title))
  expect(choices()).toEqual(offered)
})

test('the menu moves its own row, also when others have moved rows meanwhile', async () => {
  const set = show()
  await userEvent.click(handleOf('Second'))
  act(() => set(['Second', 'First', 'Third']))
  expect(choices()).toEqual(['Move down'])
  await choose('Move down')
  expect(order()).toEqual(['First', 'Second', 'Third'])
  await userEvent.click(handleOf('Second'))
  act(() => set(['First', 'Third']))
  expect(choices()).toEqual([])
})

test('a drag opens no menu, and a click after it does', async () => {
  show()
  const target = handleOf('First')
  const at = (clientY: number) => ({ target, coords: { clientY } })
  const user = userEvent.setup()
  await user.pointer([
    { ...at(10), keys: '[MouseLeft>]' },
    at(110),
    { ...at(110), keys: '[/MouseLeft]' },
  ])
  expect(order()).toEqual(['Second', 'Third', 'First'])
  expect(choices()).toEqual([])
  // Of an assistive technology, without a pointer.
  fireEvent.click(handleOf('First'))
  expect(choices()).toEqual(['Move up'])
  cleanup()
  show()
  // The hand trembles.
  const still = handleOf('First')
  await user.pointer([
    { target: still, coords: { clientY: 10 }, keys: '[MouseLeft>]' },
    { target: still, coords: { clientY: 12 } },
    { target: still, coords: { clientY: 10 }, keys: '[/MouseLeft]' },
  ])
  expect(choices()).toEqual(['Move down'])
})
