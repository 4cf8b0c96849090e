import { expect, test } from 'vitest'
import {
  NONE_SELECTED,
  extendTo,
  stepTo,
  toggleAll,
  toggleRow,
  type SelectedRows,
} from '../../../src/ui/list/selected-rows.ts'

const ORDER = ['a', 'b', 'c', 'd', 'e']
const idsOf = ({ ids }: SelectedRows) => [...ids].toSorted().join('')

test('a row is selected, and taken out by a second press', () => {
  const one = toggleRow(NONE_SELECTED, 'b')
  expect(idsOf(one)).toBe('b')
  expect(idsOf(toggleRow(one, 'b'))).toBe('')
})

test('a range goes from the last toggled row to the pressed one, downwards and upwards', () => {
  const from = toggleRow(NONE_SELECTED, 'c')
  expect(idsOf(extendTo(from, 'e', ORDER))).toBe('cde')
  expect(idsOf(extendTo(from, 'a', ORDER))).toBe('abc')
})

test('a second range from the same row replaces the first, and keeps what was selected before', () => {
  const from = toggleRow(toggleRow(NONE_SELECTED, 'a'), 'c')
  const far = extendTo(from, 'e', ORDER)
  expect(idsOf(far)).toBe('acde')
  expect(idsOf(extendTo(far, 'd', ORDER))).toBe('acd')
})

test('a range follows the order of the list after it was sorted again', () => {
  const from = toggleRow(NONE_SELECTED, 'a')
  expect(idsOf(extendTo(from, 'c', ['c', 'e', 'a', 'b', 'd']))).toBe('ace')
})

test('without the first row in the list only the pressed row is selected', () => {
  const from = toggleRow(NONE_SELECTED, 'a')
  expect(idsOf(extendTo(from, 'e', ['c', 'd', 'e']))).toBe('ae')
})

test('steps grow a range from the row where it ends, and shrink it again', () => {
  const two = stepTo(NONE_SELECTED, ['b', 'c'], ORDER)
  expect(idsOf(two)).toBe('bc')
  const three = stepTo(two, ['c', 'd'], ORDER)
  expect(idsOf(three)).toBe('bcd')
  expect(idsOf(stepTo(three, ['d', 'c'], ORDER))).toBe('bc')
})

test('a step from another row begins a new range beside the first', () => {
  const first = stepTo(NONE_SELECTED, ['a', 'b'], ORDER)
  expect(idsOf(stepTo(first, ['d', 'e'], ORDER))).toBe('abde')
})

test('all adds what is shown to the rest, and takes only that out again', () => {
  const hidden = toggleRow(NONE_SELECTED, 'hidden')
  const all = toggleAll(toggleRow(hidden, 'b'), ORDER)
  expect(idsOf(all)).toBe('abcdehidden')
  expect(idsOf(toggleAll(all, ORDER))).toBe('hidden')
})
