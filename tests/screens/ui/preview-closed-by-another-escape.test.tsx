// @vitest-environment jsdom
// Escape in a menu of the record beside a list, while its text is composed, or in a drag, closed the record too.
import { cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { PreviewPane } from '../../../src/ui/list/preview-pane.tsx'
import { SortableList } from '../../../src/ui/list/sortable-list.tsx'
import { Menu } from '../../../src/ui/overlay/menu.tsx'
import { Panel } from '../../../src/ui/overlay/panel.tsx'

// jsdom has no popovers and captures no pointers.
beforeAll(() => {
  Object.assign(HTMLElement.prototype, { hidePopover() {}, setPointerCapture() {} })
})

const close = vi.fn()
const moveRow = vi.fn()
const rowOf = (title: string, handle: ReactNode) => (
  <>
    {title}
    {handle}
  </>
)

beforeEach(() => {
  const items = [{ label: 'Pause', onSelect: () => undefined }]
  render(
    <PreviewPane id="plan" label="Plan" controls={null} onClose={close}>
      <input aria-label="Update" />
      <Menu label="Status" className="" items={items}>
        Status
      </Menu>
      <Panel label="Options" button="Options" className="">
        Controls
      </Panel>
      <SortableList
        label="Actions"
        items={['First', 'Second']}
        idOf={String}
        titleOf={String}
        row={rowOf}
        onMove={moveRow}
      />
      {createPortal(<input aria-label="Note" />, document.body)}
    </PreviewPane>,
  )
})
afterEach(() => {
  cleanup()
  close.mockClear()
})

const closedBy = (target: Element, init: KeyboardEventInit = {}) => {
  fireEvent(target, createEvent.keyDown(target, { key: 'Escape', ...init }))
  return close.mock.calls.length
}
const field = (name: string) => screen.getByRole('textbox', { name })

test('Escape closes the record', () => {
  expect(closedBy(field('Update'))).toBe(1)
})

test('Escape in a menu of the record closes only the menu', () => {
  expect(closedBy(screen.getByRole('menuitem', { hidden: true }))).toBe(0)
})

test('Escape in a popover of the record closes only the popover', () => {
  expect(closedBy(screen.getByRole('group', { hidden: true }))).toBe(0)
})

test('Escape while a text is composed leaves the record open', () => {
  expect(closedBy(field('Update'), { isComposing: true })).toBe(0)
})

test('Escape in a dialog of the record leaves the record open', () => {
  expect(closedBy(field('Note'))).toBe(0)
})

test('Escape in a drag ends only the drag', () => {
  const handle = screen.getByRole('button', { name: 'Move “First”' })
  fireEvent.pointerDown(handle)
  expect(closedBy(handle)).toBe(0)
  fireEvent.pointerUp(handle)
  expect(moveRow).not.toHaveBeenCalled()
  expect(closedBy(handle)).toBe(1)
})
