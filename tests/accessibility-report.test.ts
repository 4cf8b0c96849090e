// The accessibility page names each criterion of WCAG 2.2, A and AA, once, with evidence that exists.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const DOCS = join(import.meta.dirname, '../docs')
const page = readFileSync(join(DOCS, 'accessibility.md'), 'utf8')
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()))

/** How many criteria of level A and AA each guideline has; 4.1.1 was removed in 2.2. */
const OF_GUIDELINE = {
  '1.1': 1,
  '1.2': 5,
  '1.3': 5,
  '1.4': 9,
  '2.1': 3,
  '2.2': 2,
  '2.3': 1,
  '2.4': 8,
  '2.5': 6,
  '3.1': 2,
  '3.2': 5,
  '3.3': 6,
  '4.1': 2,
}

test('each criterion is listed once', () => {
  const criteria = rows.flatMap(([, name = '']) => /^\d\.\d\.\d+/.exec(name) ?? [])
  expect(new Set(criteria).size).toBe(criteria.length)
  const counts = Object.groupBy(criteria, (number) => number.slice(0, 3))
  expect(
    Object.fromEntries(Object.entries(counts).map(([key, all = []]) => [key, all.length])),
  ).toEqual(OF_GUIDELINE)
})

test('all evidence exists', () => {
  const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
  expect(links.filter((link) => !existsSync(join(DOCS, link)))).toEqual([])
  const names = new Set(rows.filter((cells) => cells.length === 4).map(([, name]) => name))
  const evidence = rows
    .filter(([, name = '']) => /^\d\./.test(name))
    .flatMap((cells) => (cells[4] ?? '').split(', '))
  expect(evidence.filter((name) => !names.has(name))).toEqual([])
})
