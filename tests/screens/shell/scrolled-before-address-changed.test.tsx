// @vitest-environment jsdom
// A list is scrolled, then gets another address (a preview, a filter), and is left without another scroll.
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Link, MemoryRouter, Route, Routes, useNavigate, useSearchParams } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { ScrollMemory } from '../../../src/app/navigation/scroll-memory.tsx'

afterEach(cleanup)

function List() {
  const [, setParams] = useSearchParams()
  return (
    <>
      <button onClick={() => setParams({ open: '1' }, { replace: true })}>Preview</button>
      <Link to="/plans/1">Plan</Link>
    </>
  )
}

function Plan() {
  const navigate = useNavigate()
  return <button onClick={() => void navigate(-1)}>Back</button>
}

test('going back restores its position', async () => {
  // jsdom has no layout.
  vi.stubGlobal('scrollTo', (_: number, top: number) => vi.stubGlobal('scrollY', top))
  vi.stubGlobal('scrollY', 0)
  render(
    <MemoryRouter initialEntries={['/plans']}>
      <ScrollMemory />
      <Routes>
        <Route path="/plans" element={<List />} />
        <Route path="/plans/1" element={<Plan />} />
      </Routes>
    </MemoryRouter>,
  )
  window.scrollTo(0, 311)
  fireEvent.scroll(window)
  fireEvent.click(screen.getByRole('button', { name: 'Preview' }))
  fireEvent.click(screen.getByRole('link'))
  const back = await screen.findByRole('button', { name: 'Back' })
  expect(window.scrollY).toBe(0)
  fireEvent.click(back)
  await screen.findByRole('link')
  expect(window.scrollY).toBe(311)
})
