// The mutation runs report a survivor as killed, plant nothing, or plant something else than they say.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allMutants, readEquivalents, sample } from './sample.ts'
import { instrument, listMutants, plant, type Mutant } from './source-mutants.ts'
import { requireTests, selectTests } from './test-selection.ts'
import { tryMutant } from './try-mutant.ts'
import { ROOT, WorkingCopy } from './working-copy.ts'

/** For tests that parse all sources or start another Vitest. */
const LONG = { timeout: 60_000 }

const CODE = `
const LIMIT: 5 = 5
export class Queue {
  async send(items: string[], all?: boolean): Promise<number> {
    if (items.length < LIMIT && !all) return 404
    await this.locks.withLock('queue', {}, async () => items.filter(Boolean))
    this.sent = true
    log.info('sent')
    return post({ headers: { 'If-Match': '"1"', Accept: 'text/html' } })
  }
}
const first = (items: string[]) => items[0] ?? 'none'
`

const mutants = () => listMutants('queue.ts', CODE).mutants
const keyed = (mutant: Mutant) => `${mutant.key.replace('queue.ts#', '')} => ${mutant.replacement}`

test('plants conditions, bounds, awaits, orders, locks, headers and removed statements', () => {
  expect(mutants().map(keyed)).toEqual([
    'module constant: 5 => 6',
    "Queue.send order: await this.locks.withLock('queue', {}, async () => items.filter(Boolean)) this.sent = true => this.sent = true\n;await this.locks.withLock('queue', {}, async () => items.filter(Boolean))",
    'Queue.send condition true: items.length < LIMIT && !all => true',
    'Queue.send condition false: items.length < LIMIT && !all => false',
    'Queue.send logic: items.length < LIMIT && !all => (items.length < LIMIT || !all)',
    'Queue.send comparison: items.length < LIMIT => items.length <= LIMIT',
    'Queue.send logic: !all => (all)',
    'Queue.send constant: 404 => 405',
    "Queue.send statement: await this.locks.withLock('queue', {}, async () => items.filter(Boolean)) => ;",
    "Queue.send await: await this.locks.withLock('queue', {}, async () => items.filter(Boolean)) => void (this.locks.withLock('queue', {}, async () => items.filter(Boolean)))",
    "Queue.send lock: 'queue' => 'queue' + Math.random()",
    'Queue.send clause: .filter(Boolean) => ',
    'Queue.send statement: this.sent = true => ;',
    'Queue.send constant: true => false',
    "Queue.send header: 'If-Match' => 'x-mutant'",
    "Queue.send header: Accept => 'x-mutant'",
    "first logic: items[0] ?? 'none' => (items[0])",
    'first constant: 0 => 1',
  ])
})

test('plants code that can be parsed', () => {
  for (const mutant of mutants())
    expect(() => listMutants('queue.ts', plant(CODE, mutant)), mutant.key).not.toThrow()
})

test('names a mutant the same when other code changes, and no two the same', LONG, () => {
  const before = mutants().map(({ key }) => key)
  const changed = CODE.replace('export class', 'const more = 1\n\nexport class')
  const after = listMutants('queue.ts', changed).mutants.map(({ key }) => key)
  expect(after).toEqual(expect.arrayContaining(before))
  const keys = allMutants(ROOT).map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
})

test('finds the functions that run, also those without a block', () => {
  const code =
    'const one = (n) => ({ n }); function two(n) { return [n].map((m) => m) }; function three() {}'
  const { functions } = listMutants('code.ts', code)
  const hits = (globalThis.cairnHits = new Set<string>())
  const instrumented = instrument(code, functions, String)
  expect(runInThisContext(`${instrumented}; [one(1), two(2)]`)).toEqual([{ n: 1 }, [2]])
  expect([...hits]).toEqual(['0', '1', '2'])
})

test('a seed fixes the sample; another seed draws another one', () => {
  const all = mutants()
  expect(sample(all.toReversed(), 1, 8)).toEqual(sample(all, 1, 8))
  expect(sample(all, 2, 8)).not.toEqual(sample(all, 1, 8))
})

test('an equivalent mutant is one that exists, and has a reason', LONG, () => {
  const keys = new Set(allMutants(ROOT).map(({ key }) => key))
  const entries = Object.entries(readEquivalents())
  expect(entries.filter(([key]) => !keys.has(key)).map(([key]) => key)).toEqual([])
  expect(entries.filter(([, reason]) => reason.length < 20)).toEqual([])
})

describe('a run', () => {
  const FILE = 'contract/query-string.ts'
  const KEY = `${FILE}#pairs condition true: Array.isArray(value)`
  const NOTICING = 'tests/contract/query-string.test.ts'
  const OTHER = 'tests/contract/rules.test.ts'
  let copy: WorkingCopy
  beforeAll(() => {
    copy = new WorkingCopy()
  })
  afterAll(() => copy.remove())

  /** Tries a mutant as if `test` were the only file to reach it. */
  const tryWith = async (test: string) => {
    const mutant = listMutants(FILE, copy.read(FILE)).mutants.find(({ key }) => key === KEY)
    if (!mutant) throw new Error('There is no such mutant.')
    const hits = new Set([`${FILE}#${mutant.functionIndex}`])
    return await tryMutant(copy, mutant, [{ test, durationMs: 100, hits }])
  }

  test('kills a mutant that a test notices, and names the test', LONG, async () => {
    const result = await tryWith(NOTICING)
    expect(result.outcome).toBe('killed')
    expect(result.by).toContain(NOTICING)
  })

  test('reports a mutant that no test notices, and takes it out', LONG, async () => {
    expect(await tryWith(OTHER)).toMatchObject({ outcome: 'survived', by: '' })
    const original = readFileSync(join(ROOT, FILE), 'utf8')
    expect(readFileSync(join(copy.folder, FILE), 'utf8')).toBe(original)
  })

  test('has all test files that a room names', LONG, () => {
    expect(() => requireTests(copy)).not.toThrow()
  })

  test('reports a mutant that no test reaches', async () => {
    const [mutant] = listMutants('server/domain/records.ts', 'const one = 1').mutants
    if (!mutant) throw new Error('There is no mutant.')
    expect(selectTests(mutant, [])).toEqual([])
  })
})
