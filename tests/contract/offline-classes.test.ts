import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '../../contract/endpoints.ts'

test('docs/offline.md lists each call with its class in the table', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/offline.md'), 'utf8')
  const promised = Object.fromEntries(
    [...page.matchAll(/^\| `(\w+)` \| (\w+) \|$/gm)].map(([, name, offline]) => [name, offline]),
  )
  const agreed = Object.fromEntries(
    Object.entries(endpoints).map(([name, { offline }]) => [name, offline]),
  )
  expect(promised).toEqual(agreed)
})

test('exactly the calls described as queueable can be queued', () => {
  for (const [name, row] of Object.entries(endpoints))
    expect({ name, queueing: 'offlinePolicy' in row }).toEqual({
      name,
      queueing: row.offline === 'queue',
    })
})
