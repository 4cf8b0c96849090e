// What is open stays as it was read hours ago, at a server without events; or a page at rest asks all the time.
import { expect, test } from 'vitest'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { OpenPolling, type OpenView } from '../../../src/sync/core/pull/open-polling.ts'
import { product } from '../../../src/app/boot/product.ts'
import type { PlainOptions } from '../../plain-server/plain-options.ts'
import { waitFor } from '../engine-fixture.ts'
import { PlainFixture, stored } from './plain-fixture.ts'

const LIST: OpenView = { kind: 'collection', name: 'success_plans', key: '' }
const PLAN: OpenView = { kind: 'record', name: 'success_plans', key: '1' }
const FEED: OpenView = { kind: 'partition', name: 'success_plan_updates', key: '1' }

async function polled(options: Partial<PlainOptions> = {}) {
  const stage = new PlainFixture(options)
  const engine = await stage.readTab()
  const { http, puller, pullScheduler } = engine
  const polling = new OpenPolling({ http, puller, pullScheduler, sources: product.sources })
  /** One round; resolves to the number of requests that it made. */
  const round = async (...views: OpenView[]) => {
    const before = stage.plain.requests.length
    const replica = engine.activeReplica()
    if (replica) await polling.poll(replica, views)
    return stage.plain.requests.length - before
  }
  const titles = async () => (await stored(engine, 'success_plans')).map(({ title }) => title)
  return { stage, engine, round, titles }
}

test.for<Partial<PlainOptions>>([{}, { perPage: 'refused' }, { pagination: 'cursor' }])(
  'a list of three pages is read over some rounds, each of two requests: %o',
  async (options) => {
    const { stage, round, titles } = await polled(options)
    const plans = stage.plain.records.tables['success-plans']
    for (const plan of [plans[0], plans[39]]) if (plan) plan.title = 'Changed elsewhere'
    const counts = [await round(LIST), await round(LIST), await round(LIST)]
    expect(Math.max(...counts)).toBeLessThanOrEqual(2)
    expect((await titles()).filter((title) => title === 'Changed elsewhere')).toHaveLength(2)
    expect(await titles()).toHaveLength(40)
  },
)

test('a list that was not answered at first takes its turn when a round has room for a refused size of pages', async () => {
  const { stage, round } = await polled({ perPage: 'refused' })
  const end = stage.plain.refuse({ path: /success-plans$/ }, 503)
  for (let count = 0; count < 2; count += 1) await round(PLAN, LIST)
  end()
  for (let count = 0; count < 3; count += 1) expect(await round(PLAN, LIST)).toBeLessThanOrEqual(2)
})

test('what is open takes turns, and a round with an expired token makes four requests', async () => {
  const { stage, round } = await polled()
  const before = stage.plain.requests.length
  expect(await round(LIST, PLAN, FEED)).toBe(2)
  stage.plain.tokens.expireAll()
  expect(await round(LIST, PLAN, FEED)).toBeLessThanOrEqual(4)
  for (let count = 0; count < 2; count += 1)
    expect(await round(LIST, PLAN, FEED)).toBeLessThanOrEqual(2)
  const paths = new Set(stage.plain.requests.slice(before).map(({ path }) => path))
  expect(paths).toContain('/api/v1/success-plans/1')
  expect(paths).toContain('/api/v1/success-plans/1/updates')
  expect(paths).toContain('/api/v1/success-plans')
})

test('a record that is open is stored as the server has it now', async () => {
  const { stage, round, titles } = await polled()
  const [plan] = stage.plain.records.tables['success-plans']
  if (plan) plan.title = 'Changed elsewhere'
  await round(PLAN)
  expect(await titles()).toContain('Changed elsewhere')
})

test('updates of one page that have become many pages are read over some rounds', async () => {
  const { stage, round } = await polled()
  await round(FEED)
  const { updates } = stage.plain.records.tables
  const [update] = updates
  if (!update) throw new Error('The plan has no updates.')
  for (let id = 100; id < 160; id += 1) updates.push({ ...update, id: String(id) })
  for (let count = 0; count < 6; count += 1) expect(await round(FEED)).toBeLessThanOrEqual(2)
})

test('updates of one page that have become two leave a round its two requests', async () => {
  const { stage, round } = await polled()
  // In the third round, own plans are read.
  for (const view of [FEED, PLAN, PLAN]) await round(view)
  const { updates } = stage.plain.records.tables
  const [update] = updates
  if (!update) throw new Error('The plan has no updates.')
  for (let id = 100; id < 120; id += 1) updates.push({ ...update, id: String(id) })
  expect(await round(FEED, PLAN)).toBeLessThanOrEqual(2)
})

test('what is not on a page that was read is not taken for gone', async () => {
  const { stage, round, titles } = await polled()
  stage.plain.refuse({ method: 'GET', path: /success-plans$/ }, 503)
  await round(LIST)
  await round(LIST)
  expect(await titles()).toHaveLength(40)
})

test('a list whose last page leads back into it is begun again', async () => {
  const { stage, round, titles } = await polled({ pagination: 'cursor' })
  const second = Buffer.from('{"from":15}').toString('base64url')
  stage.network = (request) => {
    const real = stage.answer(request)
    return { ...real, text: real.text.replace('"next":null', `"next":"?cursor=${second}"`) }
  }
  for (let count = 0; count < 4; count += 1) await round(LIST)
  const [plan] = stage.plain.records.tables['success-plans']
  if (plan) plan.title = 'Changed elsewhere'
  for (let count = 0; count < 4; count += 1) await round(LIST)
  expect(await titles()).toContain('Changed elsewhere')
})

/** The answer to the next request of an address that ends so arrives once it is released. */
function slowAnswer(stage: PlainFixture, end: string) {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>()
  const before = stage.delayRequest
  let isFirst = true
  stage.delayRequest = async (request) => {
    await before(request)
    if (!isFirst || request.method !== 'GET' || !request.url.endsWith(end)) return
    isFirst = false
    isAsked()
    await held
  }
  return { asked, release }
}

test.for(['after', 'during'] as const)(
  'an answer from before an own edit, %s the reading that has the edit, does not bring the old text back',
  async (when) => {
    const { stage, engine, round, titles } = await polled({ perPage: 'refused' })
    const old = slowAnswer(stage, '/success-plans/1')
    const polling = round(PLAN)
    await old.asked
    const body = { title: 'Mine' }
    const lastPage = slowAnswer(stage, '/success-plans?page=3')
    await engine.enqueue('updateSuccessPlan', { path: { id: '1' }, body })
    // The page with the plan is stored by now.
    await lastPage.asked
    if (when === 'after') {
      lastPage.release()
      await waitFor(async () => expect(await engine.outbox.all()).toEqual([]))
    }
    old.release()
    await polling
    if (when === 'during') {
      lastPage.release()
      await engine.pullScheduler.pull()
    }
    const isShown = async () =>
      (await engine.outbox.all()).length > 0 || (await titles()).includes('Mine')
    expect(await isShown()).toBe(true)
    await engine.pullScheduler.pullAgain()
    expect(await engine.outbox.all()).toEqual([])
    expect(await titles()).toContain('Mine')
  },
)

/** Whether the updates of the first 20 plans are on the device, in their order. */
const areStored = async (engine: Engine) => {
  const replica = engine.activeReplica()
  const areThere: boolean[] = []
  for (let id = 1; id <= 20; id += 1)
    areThere.push((await replica?.partition('success_plan_updates', String(id))) !== undefined)
  return areThere
}

test('the updates of own open plans come without being opened, at most two requests a round', async () => {
  const { stage, engine, round } = await polled()
  for (const plan of stage.plain.records.tables['success-plans']) {
    if (plan.id === '2') plan.owner_id = '99'
    if (plan.id === '3') plan.status = 'completed'
    if (Number(plan.id) > 10) plan.owner_id = '99'
  }
  await engine.pullScheduler.pullAgain()
  const counts: number[] = []
  for (let count = 0; count < 8; count += 1) counts.push(await round())
  expect(Math.max(...counts)).toBeLessThanOrEqual(2)
  const isOwnOpen = (_: unknown, index: number) => index < 10 && index !== 1 && index !== 2
  expect(await areStored(engine)).toEqual(Array.from({ length: 20 }, isOwnOpen))
})

test('so do those of open plans that no one owns, as at a server without owners', async () => {
  const { stage, engine, round } = await polled()
  const all = stage.plain.records.tables['success-plans']
  stage.plain.records.tables['success-plans'] = all.slice(0, 4).map((plan) => ({
    ...plan,
    owner_id: plan.id === '2' ? '99' : null,
  }))
  await engine.pullScheduler.pullAgain()
  for (let count = 0; count < 8; count += 1) await round()
  expect((await areStored(engine)).slice(0, 4)).toEqual([true, false, true, true])
})

test('what is open is read in two of three rounds as before, and updates of own plans in the third', async () => {
  const { stage, round } = await polled()
  const asked: string[][] = []
  for (let count = 0; count < 6; count += 1) {
    const before = stage.plain.requests.length
    expect(await round(LIST, PLAN)).toBeLessThanOrEqual(2)
    asked.push(stage.plain.requests.slice(before).map(({ path }) => path))
  }
  const own = asked.map((paths) => paths.filter((path) => path.endsWith('/updates')).length)
  expect(own).toEqual([0, 0, 1, 0, 0, 1])
})

test('updates of an own plan that take more than a round are left until it is opened', async () => {
  const { stage, engine, round } = await polled()
  const { updates } = stage.plain.records.tables
  const [update] = updates
  if (!update) throw new Error('The plan has no updates.')
  for (let id = 100; id < 160; id += 1) updates.push({ ...update, id: String(id) })
  for (let count = 0; count < 41; count += 1) expect(await round()).toBeLessThanOrEqual(2)
  expect((await areStored(engine)).slice(0, 3)).toEqual([false, true, true])
})
