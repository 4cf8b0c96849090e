// @vitest-environment jsdom
// A list is filtered by an owner who is no choice any more, and the filter says that it is not.
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { FilterField } from '../../../src/ui/list/filters/filter-field.tsx'

afterEach(cleanup)

const OWNERS = [
  ['', 'Any owner'],
  ['ada', 'Ada'],
] as const

const shown = (value: string) => {
  render(
    <FilterField
      name="owner"
      label="Owner"
      value={value}
      options={OWNERS}
      onChange={() => undefined}
    />,
  )
  const field = screen.getByLabelText<HTMLSelectElement>('Owner')
  return [...field.selectedOptions].map(({ text }) => text)
}

test('a filter by a value without an option is shown as set', () => {
  expect(shown('left-long-ago')).toEqual(['Other'])
})

test('a filter by one of its options offers nothing else', () => {
  expect(shown('ada')).toEqual(['Ada'])
  expect(screen.getAllByRole('option')).toHaveLength(OWNERS.length)
})
