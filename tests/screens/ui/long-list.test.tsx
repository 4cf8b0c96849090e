// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
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

it('gives the elements of rows that leave to rows that enter while it scrolls', async () => {
  const names = Array.from({ length: 200 }, (_, index) => `Name ${index}`)
  let scrolled = 0
  const rect = vi
    .spyOn(Element.prototype, 'getBoundingClientRect')
    .mockImplementation(() => new DOMRect(0, 100 - scrolled, 300, 50))
  render(<Names names={names} />)
  const scrollTo = (pixels: number) => {
    scrolled = pixels
    act(() => void window.dispatchEvent(new Event('scroll')))
  }
  await row('Name 20')
  scrollTo(2_000)
  const elements = new Set(screen.getAllByRole('link'))
  // By less than a row at a time: each row then enters and leaves at its own position.
  for (let pixels = 2_000; pixels < 4_000; pixels += 30) {
    scrollTo(pixels)
    const links = screen.getAllByRole('link')
    expect(links).toHaveLength(elements.size)
    expect(links.filter((link) => !elements.has(link))).toEqual([])
  }
  rect.mockRestore()
})
