// A server without `changes` was restored from a backup: updates that only the lost database had stayed in their plans.
import { expect, test } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { appendsTo } from '../../../src/sync/core/pull/read-parts.ts'
import { OpenPolling, type OpenView } from '../../../src/sync/core/pull/open-polling.ts'
import type { PlainOptions } from '../../plain-server/plain-options.ts'
import { waitFor } from '../engine-fixture.ts'
import { PlainFixture } from './plain-fixture.ts'

const UPDATES = 'success_plan_updates'
const FEED: OpenView = { kind: 'partition', name: UPDATES, key: '1' }

/** A device that has read the three updates of a plan. */
async function device(options: Partial<PlainOptions> = {}) {
  const stage = new PlainFixture(options)
  const { tables } = stage.plain.records
  const first = tables.updates.find(({ success_plan_id }) => success_plan_id === '1')
  if (!first) throw new Error('The plan has no updates.')
  tables.updates.push({ ...first, id: '8001' }, { ...first, id: '8002' })
  const tab = await stage.readTab()
  const replica = tab.activeReplica()
  if (!replica) throw new Error('No organisation is active.')
  const read = () => tab.pullScheduler.pullPartition(replica, UPDATES, '1')
  const ids = async () => (await replica.partition(UPDATES, '1'))?.map(({ id }) => id) ?? []
  await read()
  const restoreWithout = (id: string) => {
    tables.updates = tables.updates.filter((one) => one.id !== id)
  }
  return { stage, tab, replica, tables, read, ids, first, restoreWithout }
}

test('a lost update leaves its plan after a second complete reading, and the screens learn of it', async () => {
  const { stage, read, ids, first, restoreWithout } = await device()
  const before = await ids()
  restoreWithout(first.id)
  await read()
  expect(await ids()).toEqual(before)
  const told: string[] = []
  stage.onChanged = async (_scope, changed) => void told.push(...(changed[UPDATES]?.ids ?? []))
  await read()
  expect(await ids()).toEqual(before.filter((id) => id !== first.id))
  expect(told).toContain(first.id)
})

test('an update that a later reading has again must be missing from two more readings', async () => {
  const { tables, read, ids, first, restoreWithout } = await device()
  for (let count = 0; count < 2; count += 1) {
    restoreWithout(first.id)
    await read()
    tables.updates.push(first)
    await read()
  }
  restoreWithout(first.id)
  await read()
  expect(await ids()).toContain(first.id)
})

test('a reading that is not complete removes no update', async () => {
  const { stage, read, ids, first, restoreWithout } = await device({ pageSize: 1 })
  restoreWithout(first.id)
  stage.network = (request) => {
    if (/\/updates\?.*page=2\b/.test(request.url)) throw new TypeError('Failed to fetch')
    return stage.answer(request)
  }
  for (let count = 0; count < 3; count += 1) expect(await read()).toBe(false)
  expect(await ids()).toContain(first.id)
})

test.for<[string, OpenView[], number]>([
  ['are open', [FEED], 15],
  ['are open, on many pages,', [FEED], 1],
  ['are of an own plan', [], 20],
])('polls remove those that %s', async ([, open, pageSize]) => {
  const { stage, tab, replica, ids, first, restoreWithout } = await device()
  stage.plain.options.pageSize = pageSize
  const { http, puller, pullScheduler } = tab
  const polling = new OpenPolling({ http, puller, pullScheduler, sources: product.sources })
  restoreWithout(first.id)
  await waitFor(async () => {
    await polling.poll(replica, open)
    expect(await ids()).not.toContain(first.id)
  })
})

test('an update that was stored after two readings had begun stays, though both lack it', async () => {
  const { stage, tables, read, ids, first } = await device()
  const releases: (() => void)[] = []
  stage.delayRequest = () => new Promise((resolve) => releases.push(resolve))
  const readings = [read(), read()]
  await waitFor(() => expect(releases).toHaveLength(2))
  stage.delayRequest = async () => {}
  tables.updates.push({ ...first, id: '9000' })
  await read()
  expect(await ids()).toContain('9000')
  for (const [index, release] of releases.entries()) {
    release()
    expect(await readings[index]).toBe(true)
  }
  expect(await ids()).toContain('9000')
})

test('an update stays as long as its operation is in the outbox', async () => {
  const { stage, tab, tables, read, ids, restoreWithout } = await device({
    capabilities: 'ids, keys=2592000',
    clientIds: 'unique',
  })
  const id = crypto.randomUUID()
  stage.network = (request) => {
    if (request.method !== 'POST') return stage.answer(request)
    if (!tables.updates.some((one) => one.id === id)) stage.answer(request)
    throw new TypeError('Failed to fetch')
  }
  await tab.enqueue('postPlanUpdate', { path: { id: '1' }, body: { id, body: 'They signed.' } })
  await waitFor(async () => {
    await read()
    expect(await ids()).toContain(id)
  })
  stage.network = (request) => {
    if (request.method === 'POST') throw new TypeError('Failed to fetch')
    return stage.answer(request)
  }
  restoreWithout(id)
  for (let count = 0; count < 3; count += 1) await read()
  expect(await tab.outbox.all()).toMatchObject([{ state: 'pending' }])
  expect(await ids()).toContain(id)
})

test('two readings at once count as one', async () => {
  const { tab, replica, ids, first } = await device()
  const before = await ids()
  const begin = () => tab.puller.beginPart(replica, UPDATES, '1')
  const notes = [await begin(), await begin()]
  const others = new Set(before.filter((id) => id !== first.id))
  for (const note of notes) await note(others)
  expect(await ids()).toEqual(before)
  await (
    await begin()
  )(others)
  expect(await ids()).toEqual([...others])
})

test('an update in another organisation is none of the plan with the same id', async () => {
  const { tab, replica } = await device()
  const operation = await tab.enqueue('postPlanUpdate', {
    path: { id: '1' },
    body: { id: crypto.randomUUID(), body: 'They signed.' },
  })
  const isOfPlan = appendsTo(product.sources, replica, UPDATES, '1')
  expect(isOfPlan(operation)).toBe(true)
  expect(isOfPlan({ ...operation, organisation_id: 'another' })).toBe(false)
})
