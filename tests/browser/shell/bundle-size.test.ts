// Download size budgets, in bytes, which do not depend on the machine.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { BUDGETS, filesOf, total } from '../../../bench/bytes.ts'

const dist = inject('dist')
const files = filesOf(dist)

/** The largest files, so that a failure shows where to look. */
const heaviest = (of: ReadonlyMap<string, number>) =>
  [...of]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 12)
    .map(([file, weight]) => `${weight.toFixed(1)} kB ${file}`)
    .join('\n')

test.for(['signed_in', 'auth', 'until_idle', 'precache'] as const)(
  '%s stays within its budget',
  (name) => {
    expect(total(files[name]), heaviest(files[name])).toBeLessThanOrEqual(BUDGETS[name])
  },
)

test('the page preloads its font beside its styles', () => {
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  const [, font = ''] = /<link rel="preload" as="font" [^>]*href="([^"]+)"/.exec(page) ?? []
  const [, styles = ''] = /<link rel="stylesheet" [^>]*href="([^"]+)"/.exec(page) ?? []
  expect(font).toMatch(/\.woff2$/)
  expect(readFileSync(join(dist, styles), 'utf8')).toContain(font)
})
