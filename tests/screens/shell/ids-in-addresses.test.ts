// The id of another server has letters that mean something in an address, and its links lead elsewhere.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { recordAt } from '../../../src/app/palette/recent-records.ts'
import { operationLink } from '../../../src/app/sync-centre/operation-link.ts'
import { accountPath, planPath } from '../../../src/ui/platform/record-path.ts'

test.for(['SP#12', 'A/7', '50%', 'a?b&c', 'ü 1', '$&', '0199d3b0-7c1e-7a51-9d6b-3f4e8a2c1b00'])(
  'the page of %s is that of its record',
  (id) => {
    const at = (path: string) => recordAt(new URL(path, 'https://cairn.example').pathname)
    expect(at(planPath(id))).toEqual({ kind: 'plan', id })
    expect(at(accountPath(id))).toEqual({ kind: 'account', id })
    const input = { path: { id }, body: {} }
    const link = operationLink({ endpoint: 'updateSuccessPlan', input }, () => undefined)
    expect(at(link ?? '')).toEqual({ kind: 'plan', id })
  },
)

test('other pages show no record', () => {
  for (const path of ['/success-plans', '/success-plans/new', '/accounts', '/', '/templates'])
    expect(recordAt(path)).toBeUndefined()
})

test('no link has an id as it is', () => {
  const unsafe =
    /`[^`]*(?:success-plans\/|accounts\/|[?&](?:open|edit|account|template)=)\$\{(?!encode)/
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .filter((file) => unsafe.test(readFileSync(`src/${file}`, 'utf8')))
  expect(sources).toEqual([])
})
