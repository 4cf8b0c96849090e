// How much has to come over the wire: a budget in bytes, which no machine is too slow for.
import { expect, inject, test } from 'vitest'
import { BUDGETS, filesOf, total } from '../../bench/bytes.ts'

const files = filesOf(inject('dist'))

/** The heaviest first, so that a failure says where to look. */
const heaviest = (of: ReadonlyMap<string, number>) =>
  [...of]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 12)
    .map(([file, weight]) => `${weight.toFixed(1)} kB ${file}`)
    .join('\n')

test.for(['signed_in', 'auth', 'precache'] as const)('%s outgrows its budget', (name) => {
  expect(total(files[name]), heaviest(files[name])).toBeLessThanOrEqual(BUDGETS[name])
})
