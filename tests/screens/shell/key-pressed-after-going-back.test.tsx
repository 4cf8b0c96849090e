// @vitest-environment jsdom
// Going back gives the focus to the link that was followed, while the user has already moved it elsewhere.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { Link, MemoryRouter, Route, Routes, useNavigate, useSearchParams } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { FocusMemory } from '../../../src/app/navigation/focus-memory.tsx'
import { KeptOutlet } from '../../../src/app/navigation/kept-outlet.tsx'
import { PageHeading } from '../../../src/ui/page-heading.tsx'

afterEach(cleanup)

/** Waits until the screen had time to give the focus away. */
const frames = () =>
  act(async () => {
    for (let count = 0; count < 3; count += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve))
  })

/** A list whose search gets the focus as soon as it is shown again, as by a key that was pressed at that moment. */
function List({ isSearched }: { isSearched: () => boolean }) {
  useLayoutEffect(() => {
    if (isSearched()) screen.getByRole('searchbox').focus()
  }, [isSearched])
  return (
    <main>
      <input type="search" />
      <Link to="/plans/1">Plan</Link>
    </main>
  )
}

function Plan() {
  const navigate = useNavigate()
  return <button onClick={() => void navigate(-1)}>Back</button>
}

/** Follows the link of the list, and goes back. */
async function goBack(isSearched: boolean): Promise<void> {
  let isBack = false
  render(
    <MemoryRouter initialEntries={['/plans']}>
      <FocusMemory />
      <Routes>
        <Route path="/plans" element={<List isSearched={() => isBack && isSearched} />} />
        <Route path="/plans/1" element={<Plan />} />
      </Routes>
    </MemoryRouter>,
  )
  fireEvent.click(screen.getByRole('link'))
  isBack = true
  fireEvent.click(await screen.findByRole('button'))
  await frames()
}

test('a search that has the focus when the list is shown again keeps it', async () => {
  await goBack(true)
  expect(document.activeElement).toBe(screen.getByRole('searchbox'))
})

test('otherwise the link that was followed has it', async () => {
  await goBack(false)
  expect(document.activeElement).toBe(screen.getByRole('link'))
})

/** A list with a search in its address, reached by a link. */
function Plans() {
  const [, setParams] = useSearchParams()
  return (
    <>
      <PageHeading title="Success plans" />
      <button onClick={() => setParams({ open: '1' }, { replace: true })}>Preview</button>
      <Link to="/success-plans/1">Plan</Link>
    </>
  )
}

test.each([
  ['kept behind the record', false],
  ['has changed its address meanwhile', true],
])('also where the list was reached by a link, and %s', async (_, hasPreview) => {
  render(
    <MemoryRouter>
      <FocusMemory />
      <Routes>
        <Route element={<KeptOutlet />}>
          <Route path="/" element={<Link to="/success-plans">Plans</Link>} />
          <Route path="/success-plans" element={<Plans />} />
          <Route path="/success-plans/1" element={<Plan />} />
        </Route>
      </Routes>
    </MemoryRouter>,
  )
  fireEvent.click(screen.getByRole('link', { name: 'Plans' }))
  expect(document.activeElement).toBe(await screen.findByRole('heading'))
  if (hasPreview) fireEvent.click(screen.getByRole('button', { name: 'Preview' }))
  fireEvent.click(screen.getByRole('link', { name: 'Plan' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Back' }))
  await frames()
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Plan' }))
})
