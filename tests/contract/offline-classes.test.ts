import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '../../contract/endpoints.ts'
import { callInfo, resources } from '../../contract/resources.ts'

/** The page's rule for records that can be written offline; undefined for other calls. */
function classByRule(name: string): string | undefined {
  const info = callInfo(name)
  if (!info || !('lane' in resources[info.resource])) return undefined
  const classes = { list: 'read', get: 'read', create: 'queue', update: 'queue', delete: 'queue' }
  return 'create' in resources[info.resource].calls && info.kind !== 'append'
    ? classes[info.kind]
    : undefined
}

test('docs/offline.md has the class of each call, in its table or by its rule', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/offline.md'), 'utf8')
  const listed = new Map(
    [...page.matchAll(/^\| `(\w+)` \| (\w+) \|$/gm)].map(([, name = '', offline]) => [
      name,
      offline,
    ]),
  )
  const names = Object.keys(endpoints)
  expect([...listed.keys()].filter((name) => !names.includes(name) || classByRule(name))).toEqual(
    [],
  )
  for (const [name, { offline }] of Object.entries(endpoints))
    expect({ name, offline: listed.get(name) ?? classByRule(name) }).toEqual({ name, offline })
})

test('exactly the calls described as queueable can be queued', () => {
  for (const [name, row] of Object.entries(endpoints))
    expect({ name, queueing: 'offlinePolicy' in row }).toEqual({
      name,
      queueing: row.offline === 'queue',
    })
})
