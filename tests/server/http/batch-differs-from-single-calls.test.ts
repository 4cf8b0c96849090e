// The same random operations, in batches at one server and one by one at another.
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BatchOperation, BatchResults } from '../../../contract/schemas/batch.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

interface Side {
  world: ApiFixture
  mia: ApiUser
}
let together: Side
let alone: Side
const open = async (): Promise<Side> => {
  const world = await ApiFixture.open({ tokenLifetimes: { accessTokenSeconds: 86_400 } })
  return { world, mia: await world.createOwner('Mia') }
}
beforeAll(async () => {
  together = await open()
  alone = await open()
})
afterAll(() => Promise.all([together.world.close(), alone.world.close()]))

type Draft = Omit<BatchOperation, 'key' | 'if_match_from'> & { isChained: boolean }
type Result = BatchResults['data'][number]

const PLANS = '/api/v1/success-plans'
const ACCOUNTS = '/api/v1/accounts'

/** Operations on few records, so that several change the same one; `n` makes the ids of this run. */
function draftsOf(n: number): fc.Arbitrary<Draft[]> {
  const idOf = (index: number) =>
    `00000000-0000-7000-8000-${String(n * 100 + index).padStart(12, '0')}`
  const record = fc.integer({ min: 1, max: 3 })
  const progress = fc.option(fc.integer({ min: -5, max: 105 }), { nil: undefined })
  const title = fc.constantFrom('A', 'B', '', 'x'.repeat(256), 7)
  const status = fc.constantFrom('in-progress', 'paused', 'planned', 'unknown')
  const shape = fc.oneof(
    fc.record({ id: record, title, progress }).map(({ id, ...body }) => ({
      lane: `plan:${id}`,
      method: 'POST',
      path: PLANS,
      body: { id: idOf(id), type: 'project', ...body },
    })),
    fc.record({ id: record, at: fc.integer({ min: 10, max: 14 }), progress }).map((one) => ({
      lane: `plan:${one.id}`,
      method: 'POST',
      path: `${PLANS}/${idOf(one.id)}/updates`,
      body: { id: idOf(one.at), body: `Update ${one.at}`, progress: one.progress },
    })),
    fc.record({ id: record, title, status }).map(({ id, ...body }) => ({
      lane: `plan:${id}`,
      method: 'PATCH',
      path: `${PLANS}/${idOf(id)}`,
      body,
    })),
    fc.record({ id: record, name: title }).map(({ id, name }) => ({
      lane: `account:${id}`,
      method: 'POST',
      path: ACCOUNTS,
      body: { id: idOf(20 + id), name },
    })),
    fc.record({ id: record, notes: title }).map(({ id, notes }) => ({
      lane: `account:${id}`,
      method: 'PUT',
      path: `${ACCOUNTS}/${idOf(20 + id)}`,
      body: { notes },
    })),
    fc.record({ id: record }).map(({ id }) => ({
      lane: `account:${id}`,
      method: 'DELETE',
      path: `${ACCOUNTS}/${idOf(20 + id)}`,
    })),
    fc.constant({
      lane: 'consents',
      method: 'PUT',
      path: '/api/v1/notification-consents',
      body: [],
    }),
    fc.constant({
      lane: 'user',
      method: 'PUT',
      path: '/api/v1/userinfo',
      body: { name: 'Mia M.' },
    }),
  )
  const if_match = fc.constantFrom(undefined, undefined, '"1"', '*', 'malformed')
  const draft = fc
    .tuple(shape, if_match, fc.boolean())
    .map(([one, header, isChained]) => ({ ...one, if_match: header, isChained }))
  return fc.array(draft, { minLength: 1, maxLength: 14 })
}

/** The operations with their keys; a chained one names the one before it in its lane. */
function operationsOf(drafts: readonly Draft[], n: number): BatchOperation[] {
  const last = new Map<string, string>()
  return drafts.map(({ isChained, ...draft }, index) => {
    const key = `00000000-0000-4000-8000-${String(n * 100 + index).padStart(12, '0')}`
    const earlier = isChained ? last.get(draft.lane) : undefined
    last.set(draft.lane, key)
    return { key, ...draft, ...(earlier !== undefined && { if_match_from: earlier }) }
  })
}

/** Sends batches until each operation was begun. Resolves to the results in the order of their effects. */
async function sendTogether(operations: readonly BatchOperation[]): Promise<Result[]> {
  const begun: Result[] = []
  let left = [...operations]
  while (left.length > 0) {
    const keys = new Set(left.map(({ key }) => key))
    const batch = left.map(({ if_match_from, ...one }) =>
      // If the earlier operation was answered in an earlier batch, this one keeps the base that it has itself.
      if_match_from !== undefined && keys.has(if_match_from) ? { ...one, if_match_from } : one,
    )
    const { json } = await together.mia.post('/api/v1/batch', { operations: batch })
    const results = (json as BatchResults).data
    expect(results.map(({ key }) => key)).toEqual(left.map(({ key }) => key))
    begun.push(...results.filter(({ status }) => status !== null))
    left = left.filter((_, index) => results[index]?.status === null)
    sent.push(batch)
  }
  return begun
}
/** The batches of one run. */
let sent: BatchOperation[][]

const versionIn = ({ method, path }: BatchOperation, json: Record<string, unknown> | null) => {
  const { data } = json ?? {}
  const { version, success_plan_version } = (data ?? {}) as Record<string, number | undefined>
  if (method === 'POST' && path.endsWith('/updates')) return success_plan_version
  return path.endsWith('/userinfo') || path.endsWith('-consents') ? undefined : version
}

/** Sends the same operations one by one, with what each batch said of If-Match. */
async function sendAlone(order: readonly string[]): Promise<Result[]> {
  const results: Result[] = []
  const bases = new Map<string, string | undefined>()
  for (const key of order) {
    const one = sent.findLast((batch) => batch.some((other) => other.key === key))
    const operation = one?.find((other) => other.key === key)
    if (!operation) throw new Error(`${key} was not sent.`)
    const if_match = bases.get(operation.if_match_from ?? '') ?? operation.if_match
    const answer = await alone.mia.call(operation.method, operation.path, {
      body: operation.body,
      headers: { 'Idempotency-Key': key, ...(if_match !== undefined && { 'If-Match': if_match }) },
    })
    const version = answer.status < 300 ? versionIn(operation, answer.json) : undefined
    bases.set(key, version === undefined ? if_match : `"${version}"`)
    const headers = ['etag', 'idempotent-replayed', 'retry-after'].flatMap((name) => {
      const value = answer.headers.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    const { status, text } = answer
    const body = text === '' ? null : answer.json
    results.push({ key, status, headers: Object.fromEntries(headers), body })
  }
  return results
}

/** Results without the ids and versions that differ between the two servers. */
const comparable = (results: readonly Result[], { mia }: Side) =>
  JSON.parse(
    JSON.stringify(results)
      .replaceAll(mia.id, 'MIA')
      .replaceAll(mia.email, 'EMAIL')
      .replaceAll(mia.organisation, 'ORGANISATION')
      // Versions begin at another height in each database.
      .replaceAll(/\b\d{12,16}\b/g, (version) => String(Number(version) % 1_000_000)),
  ) as unknown

test('random operations have the results and effects of their own calls', async () => {
  let n = 0
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (generate) => {
      n += 1
      sent = []
      for (const { world } of [together, alone]) world.advance({ minutes: 1 })
      const operations = operationsOf(generate(draftsOf, n), n)
      const begun = await sendTogether(operations)
      expect(begun.length).toBe(operations.length)
      const single = await sendAlone(begun.map(({ key }) => key))
      expect(comparable(begun, together)).toEqual(comparable(single, alone))
    }),
    { numRuns: 40, seed: 20_261_124, endOnFailure: true },
  )
  const read = async (side: Side, path: string) => {
    const { data } = (await side.mia.get(`${path}?per_page=500`)).json as { data: { id: string }[] }
    return comparable(data.toSorted((a, b) => (a.id < b.id ? -1 : 1)) as unknown as Result[], side)
  }
  for (const path of [PLANS, ACCOUNTS])
    expect(await read(together, path)).toEqual(await read(alone, path))
})
