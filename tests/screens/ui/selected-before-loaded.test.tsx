// @vitest-environment jsdom
// A checkbox that is pressed before the code of the selection is loaded seems to do nothing.
import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { NONE_SELECTED } from '../../../src/ui/list/selected-rows.ts'
import { useRowSelection } from '../../../src/ui/list/bulk/use-row-selection.ts'
import { useSelectedRows } from '../../../src/ui/list/use-selected-rows.ts'

const NAMES = ['Ann', 'Ben', 'Cal']
const itself = (name: string) => name
const BAR = { current: null }
const nothing = () => undefined

it('does what was pressed before it was loaded, once', () => {
  const { result, rerender } = renderHook(
    ({ isLoaded }) => {
      const { rows } = useSelectedRows({ order: NAMES, idNow: itself, bar: BAR, onDone: nothing })
      return useRowSelection(isLoaded ? { selection: rows } : undefined, NAMES, itself, itself)
    },
    { initialProps: { isLoaded: false } },
  )
  act(() => result.current.toggle('Ben', false))
  expect(result.current.selected).toEqual(NONE_SELECTED.ids)
  rerender({ isLoaded: true })
  expect([...result.current.selected]).toEqual(['Ben'])
  act(() => result.current.toggle('Ben', false))
  expect([...result.current.selected]).toEqual([])
})
