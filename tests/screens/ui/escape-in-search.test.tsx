// @vitest-environment jsdom
// Escape did nothing in an empty search of a list, so that the keys for its rows stayed out of reach.
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { FilterBar } from '../../../src/ui/list/filters/filter-bar.tsx'

// jsdom has no media queries.
vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
afterEach(cleanup)

/** The search of a list with that text, after Escape was pressed in it. */
async function pressEscape(value: string) {
  render(
    <FilterBar search={{ label: 'Search', value, onChange: () => {} }}>
      <button type="button">Filters</button>
    </FilterBar>,
  )
  const search = screen.getByRole('searchbox')
  search.focus()
  await userEvent.keyboard('{Escape}')
  return search
}

test('Escape leaves an empty search', async () => {
  expect(await pressEscape('')).not.toBe(document.activeElement)
})

test('after Escape a search with a text, which the browser clears, keeps the focus', async () => {
  expect(await pressEscape('alerts')).toBe(document.activeElement)
})
