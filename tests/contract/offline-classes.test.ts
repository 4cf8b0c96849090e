import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '../../contract/endpoints.ts'

test('the promise to users names each call with the class that the table gives it', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/offline.md'), 'utf8')
  const promised = Object.fromEntries(
    [...page.matchAll(/^\| `(\w+)` \| (\w+) \|$/gm)].map(([, name, offline]) => [name, offline]),
  )
  const agreed = Object.fromEntries(
    Object.entries(endpoints).map(([name, { offline }]) => [name, offline]),
  )
  expect(promised).toEqual(agreed)
})

test('a call can be queued if and only if the table says how', () => {
  for (const [name, row] of Object.entries(endpoints))
    expect({ name, queueing: 'offlinePolicy' in row }).toEqual({
      name,
      queueing: row.offline === 'queue',
    })
})
