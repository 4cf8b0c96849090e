// Download size budgets, in bytes, which do not depend on the machine, and chunks that need one another.
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

test('no chunk needs itself through others: what it keeps of them at its start would be undefined', () => {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    { imports?: string[] }
  >
  const importsOf = (key: string) => manifest[key]?.imports ?? []
  const needs = (from: string, to: string, seen = new Set<string>()): boolean =>
    importsOf(from).some((key) => {
      if (key === to) return true
      if (seen.has(key)) return false
      seen.add(key)
      return needs(key, to, seen)
    })
  const keys = Object.keys(manifest)
  expect(keys.length).toBeGreaterThan(100)
  expect(keys.filter((key) => needs(key, key))).toEqual([])
})
