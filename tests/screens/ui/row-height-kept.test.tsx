// @vitest-environment jsdom
// The height of rows that a user chose is not applied to a table, or forgotten when it is opened again.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LongTable } from '../../../src/ui/list/long-table.tsx'
import { DisplayOptions } from '../../../src/widgets/table/display-options.tsx'
import { tableMessages as messages } from '../../../src/widgets/table/messages.ts'

const { compact, comfortable } = messages.densities
const TITLES = { '': 'Nothing' }
const ITEMS = ['Harbour']
const cell = (name: string) => <a href="/">{name}</a>
const COLUMNS = [{ key: 'name', title: 'Name', className: '', cell }]

function Page() {
  return (
    <MemoryRouter>
      <DisplayOptions group="" groups={TITLES} columns={{}} hidden="" onChange={() => undefined} />
      <LongTable
        label="Accounts"
        items={ITEMS}
        idOf={(name) => name}
        columns={COLUMNS}
        sorted={{ key: 'name', reversed: false }}
        onSort={() => undefined}
      />
    </MemoryRouter>
  )
}

beforeEach(() => {
  vi.stubGlobal('ResizeObserver', function Observer() {
    return { observe: () => undefined, disconnect: () => undefined }
  })
  const media = { matches: true, addEventListener() {}, removeEventListener() {} }
  vi.stubGlobal('matchMedia', () => media)
})
afterEach(() => {
  cleanup()
  localStorage.clear()
})

/** Opens the table, as after a reload. */
function open() {
  cleanup()
  const { container } = render(<Page />)
  // jsdom has no popovers.
  const opened = Object.assign(new Event('toggle'), { newState: 'open' })
  fireEvent(container.querySelector('[popover]')!, opened)
}

/** In pixels, with the line below the row. jsdom lays nothing out, so that of the style. */
function rowHeight(): number {
  const { className } = screen.getByRole('table')
  const [, rem] = /(?:^| )\[--row:calc\(([\d.]+)rem-1px\)\]/.exec(className) ?? []
  expect(document.querySelector('tbody [data-row] > *')?.className).toMatch(
    /h-\(--row\).* border-b/,
  )
  return Number(rem) * 16
}
const choices = () =>
  [compact, comfortable].filter((name) => screen.getByLabelText<HTMLInputElement>(name).checked)

test('rows have 32 pixels, or 44 where that was chosen, also when the table is opened again', async () => {
  open()
  expect([rowHeight(), choices()]).toEqual([32, [compact]])
  await userEvent.click(screen.getByLabelText(comfortable))
  expect([rowHeight(), choices()]).toEqual([44, [comfortable]])
  open()
  expect([rowHeight(), choices()]).toEqual([44, [comfortable]])
  await userEvent.click(screen.getByLabelText(compact))
  open()
  expect([rowHeight(), choices()]).toEqual([32, [compact]])
})

test('a choice in another tab is followed', () => {
  open()
  localStorage.setItem('density', 'comfortable')
  act(() => void window.dispatchEvent(new Event('storage')))
  expect([rowHeight(), choices()]).toEqual([44, [comfortable]])
})

test('what is not a row height, as of another version, leaves the rows compact', () => {
  localStorage.setItem('density', 'dense')
  open()
  expect([rowHeight(), choices()]).toEqual([32, [compact]])
})
