import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { memoSort, filterByText } from '../../../src/data/list-search.ts'

interface Item {
  title: string
  account: string | undefined
}
const textsOf = ({ title, account }: Item) => [title, account]
/** Few letters, so that texts often contain each other; `İ` is longer in lower case. */
const text = fc.string({ unit: fc.constantFrom('a', 'B', 'b', ' ', 'İ', 'é'), maxLength: 5 })
const items = fc.array(fc.record({ title: text, account: fc.option(text, { nil: undefined }) }))

it('finds the same items as a search of each text', () => {
  fc.assert(
    fc.property(items, text, (all, typed) => {
      const sought = typed.trim().toLowerCase()
      const found = all.filter((item) =>
        textsOf(item).some((one) => (one ?? '').toLowerCase().includes(sought)),
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
