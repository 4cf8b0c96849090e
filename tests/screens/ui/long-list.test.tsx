// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { LongList } from '../../../src/ui/list/long-list.tsx'

// jsdom has no layout.
beforeAll(() =>
  vi.stubGlobal('ResizeObserver', function Observer() {
    return { observe: () => {}, disconnect: () => {} }
  }),
)
afterEach(cleanup)

const link = (name: string) => <a href={`#${name}`}>{name}</a>

function Names({ names }: { names: readonly string[] }) {
  return (
    <LongList
      label="Names"
      items={names}
      idOf={(name) => name}
      row={link}
      className=""
      rowClassName=""
    />
  )
}
const row = async (name: string) => screen.findByRole('link', { name })

it('keeps the elements of the other rows when one is replaced', async () => {
  const { rerender } = render(<Names names={['Ada', 'Bo', 'Cy']} />)
  const [ada, bo] = [await row('Ada'), await row('Bo')]
  rerender(<Names names={['Ada', 'Dee', 'Cy']} />)
  expect(await row('Dee')).toBe(bo)
  expect(await row('Ada')).toBe(ada)
})

it('moves focus with its row, and drops it when the row is gone', async () => {
  const { rerender } = render(<Names names={['Ada', 'Bo', 'Cy']} />)
  const bo = await row('Bo')
  bo.focus()
  rerender(<Names names={['Bo', 'Ada', 'Cy']} />)
  await row('Cy')
  expect(document.activeElement?.textContent).toBe('Bo')
  rerender(<Names names={['Dee', 'Ada', 'Cy']} />)
  await row('Dee')
  await waitFor(() => expect(document.activeElement).toBe(document.body))
})
