import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { memoSort, filterByText } from '../../../src/data/list-search.ts'

interface Item {
  title: string
  account: string | undefined
}
const textsOf = ({ title, account }: Item) => [title, account]
/** Few letters, so that texts often contain each other, and several ways to write one. */
const letters = ['a', 'B', 'b', ' ', 'i', 'İ', 'E', 'é', 'e\u0301', 'Ł', 'l']
const text = fc.string({ unit: fc.constantFrom(...letters), maxLength: 5 })
/** The same letters for a reader, as the browser's own comparison has it. */
const { compare } = new Intl.Collator('en', { sensitivity: 'base' })
/** Every part of a text. */
const partsOf = (one: string) =>
  Array.from(one.split(''), (_, start) =>
    Array.from(one.slice(start).split(''), (_each, end) => one.slice(start, start + end + 1)),
  ).flat()
const items = fc.array(fc.record({ title: text, account: fc.option(text, { nil: undefined }) }))

it('finds the same items as a search of each text', () => {
  fc.assert(
    fc.property(items, text, (all, typed) => {
      const sought = typed.trim()
      const found = all.filter((item) =>
        textsOf(item).some(
          (one) => sought === '' || partsOf(one ?? '').some((part) => compare(part, sought) === 0),
        ),
      )
      expect(filterByText(all, typed, textsOf, textsOf)).toEqual(found)
    }),
    { numRuns: 2_000 },
  )
})

it('searches by the current names', () => {
  const all = [{ title: 'Onboarding', account: 'Northwind' }]
  const found = (name: string) => filterByText(all, 'wind', name, ({ title }) => [title, name])
  expect(found('Northwind')).toEqual(all)
  expect(found('Contoso')).toEqual([])
})

it('sorts by the order that is asked for', () => {
  const all = [3, 1, 2]
  expect(memoSort(all, 'up', (a, b) => a - b)).toEqual([1, 2, 3])
  expect(memoSort(all, 'down', (a, b) => b - a)).toEqual([3, 2, 1])
  expect(memoSort([5, 4], 'up', (a, b) => a - b)).toEqual([4, 5])
})
