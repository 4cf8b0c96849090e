// A list was read in part before a create whose answer is lost: what is on its other pages is not known. One whose
// other pages could not be read counted as still arriving, for ever.
import { expect, test } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { Http } from '../../../src/sync/core/api/http.ts'
import { Lookup } from '../../../src/sync/core/arrival/lookup.ts'
import type { Engine } from '../../../src/sync/core/engine.ts'
import type { Operation } from '../../../src/sync/core/operation.ts'
import { OpenPolling, type OpenView } from '../../../src/sync/core/pull/open-polling.ts'
import type { NetworkRequest } from '../../../src/sync/core/ports.ts'
import { offline, waitFor } from '../engine-fixture.ts'
import { PlainFixture } from './plain-fixture.ts'

const WORDS = 'No change this week.'
const FEED: OpenView = { kind: 'partition', name: 'success_plan_updates', key: '1' }

const post = (tab: Engine, body = WORDS) =>
  tab.enqueue('postPlanUpdate', { path: { id: '1' }, body: { id: crypto.randomUUID(), body } })

const account = (tab: Engine, name: string) =>
  tab.enqueue('createAccount', { body: { id: crypto.randomUUID(), name } })

/** A plan whose updates are three pages; the last one has the words that are posted again. */
async function withThreePages() {
  const stage = new PlainFixture()
  const { updates } = stage.plain.records.tables
  const [update] = updates
  if (!update) throw new Error('The plan has no updates.')
  const own = updates.filter(({ success_plan_id }) => success_plan_id === '1').length
  for (let count = own + 1; count <= 40; count += 1)
    updates.push({ ...update, id: String(1_000 + count), body: count === 40 ? WORDS : `${count}` })
  const tab = await stage.readTab()
  const replica = tab.activeReplica()
  if (!replica) throw new Error('No organisation is active.')
  const same = () => updates.filter(({ body }) => body === WORDS).length
  const listReads = () => stage.plain.seen('GET', /\/updates$/).length
  return { stage, tab, replica, same, listReads }
}

/** The first write is lost before it arrives. */
const losingOne = (stage: PlainFixture): PlainFixture['network'] => {
  let isLost = false
  return (request) => {
    if (isLost || request.method !== 'POST') return stage.answer(request)
    isLost = true
    throw new TypeError('Failed to fetch')
  }
}

const pullFeed = ({ tab, replica }: Awaited<ReturnType<typeof withThreePages>>) =>
  tab.pullScheduler.pullPartition(replica, 'success_plan_updates', '1')

test('an earlier update on a page that was never read is not taken for a lost one in the same words', async () => {
  const device = await withThreePages()
  const { stage, tab, same } = device
  stage.network = (request) => {
    if (/\/updates\?.*page=[23]\b/.test(request.url)) throw new TypeError('Failed to fetch')
    return stage.answer(request)
  }
  expect(await pullFeed(device)).toBe(false)
  stage.network = losingOne(stage)
  await post(tab)
  await stage.settled(tab)
  expect(same()).toBe(2)
})

test('a list is known as read in part until its first reading to the end', async () => {
  const stage = new PlainFixture({ pageSize: 1 }, { accounts: 3, plans: 2 })
  let isBroken = true
  stage.network = (request) => {
    if (isBroken && /accounts\?.*page=2\b/.test(request.url)) throw new TypeError('Failed to fetch')
    return stage.answer(request)
  }
  const tab = await stage.readTab()
  const partial = () => tab.state.readReport.get().partial
  expect(partial()).toEqual(['accounts'])
  isBroken = false
  await tab.pullScheduler.pullAgain()
  expect(partial()).toBe(undefined)
  isBroken = true
  await tab.pullScheduler.pullAgain()
  expect(partial()).toBe(undefined)
})

test.for<
  [string, (stage: PlainFixture, request: NetworkRequest) => ReturnType<PlainFixture['answer']>]
>([
  [
    'is never answered',
    () => {
      throw new TypeError('Failed to fetch')
    },
  ],
  [
    'is not as agreed',
    (stage, request) => ({ ...stage.answer(request), text: '<h1>Welcome</h1>' }),
  ],
  [
    'repeats the first one',
    (stage, request) => stage.answer({ ...request, url: request.url.replace('page=2', 'page=1') }),
  ],
])('a list whose second page %s is known as missed, until it is read', async ([, answer]) => {
  const stage = new PlainFixture({ pageSize: 1 }, { accounts: 3, plans: 2 })
  let isBroken = true
  stage.network = (request) =>
    isBroken && /accounts\?.*page=2\b/.test(request.url)
      ? answer(stage, request)
      : stage.answer(request)
  const tab = await stage.readTab()
  await tab.pullScheduler.pull()
  expect(tab.state.readReport.get()).toMatchObject({ partial: ['accounts'], missed: ['accounts'] })
  isBroken = false
  await tab.pullScheduler.pullAgain()
  expect(tab.state.readReport.get().missed).toBe(undefined)
})

/** A lookup whose requests are answered, while the network of its tab is lost. */
function lookupOf(stage: PlainFixture, tab: Engine): Lookup {
  const ports = stage.ports()
  const exchange = async (request: NetworkRequest) => {
    const answer = stage.answer(request)
    return { ...answer, header: (name: string) => answer.headers[name.toLowerCase()] ?? null }
  }
  const answered = { ...ports, network: { ...ports.network, exchange } }
  return new Lookup(answered, new Http(answered, tab.session, () => undefined), product)
}

test('a record that was opened by its address is not taken for its whole list', async () => {
  const stage = new PlainFixture()
  const end = stage.plain.refuse({ path: /accounts$/ }, 503)
  const tab = await stage.readTab()
  stage.network = offline
  end()
  const replica = tab.activeReplica()
  await replica?.apply({ put: { accounts: [{ id: '1', name: 'Account 1' }] }, deleted: [] })
  const operation = await account(tab, 'Flood Co')
  expect(await lookupOf(stage, tab).knownBefore(operation)).toEqual({
    kind: 'known',
    ids: ['1', '2', '3'],
  })
})

test('operations that waited for the network share one reading of a list that is not on the device', async () => {
  const stage = new PlainFixture()
  const end = stage.plain.refuse({ path: /accounts$/ }, 503)
  const tab = await stage.readTab()
  stage.network = offline
  end()
  const operations = [await account(tab, 'Flood Co'), await account(tab, 'Dry Ltd')]
  const lookup = lookupOf(stage, tab)
  const before = stage.plain.seen('GET', /accounts$/).length
  await Promise.all(operations.map((one) => lookup.knownBefore(one)))
  // Made after that reading.
  stage.aheadMs += 1_000
  await lookup.knownBefore(await account(tab, 'Moor & Sons'))
  await lookup.knownBefore(operations[0] as Operation)
  expect(stage.plain.seen('GET', /accounts$/).length - before).toBe(2)
})

test('a list that was read to its end is not read again before a create', async () => {
  const device = await withThreePages()
  const { stage, tab, replica, listReads } = device
  expect(await pullFeed(device)).toBe(true)
  // Its last reading stands, though the next one breaks off.
  stage.network = (request) => {
    if (/\/updates\?.*page=2\b/.test(request.url)) throw new TypeError('Failed to fetch')
    return stage.answer(request)
  }
  expect(await pullFeed(device)).toBe(false)
  const before = listReads()
  await post(tab)
  await stage.settled(tab)
  expect(listReads()).toBe(before)
  expect(await replica.partition('success_plan_updates', '1')).toHaveLength(40)
})

test.for<[string, OpenView[]]>([
  ['is open', [FEED]],
  ['is of an own plan', []],
])('nor one that %s, and was read over some rounds of polls', async ([, open]) => {
  const { stage, tab, replica, listReads } = await withThreePages()
  // A round reads two pages, and the updates of an own plan in one.
  if (open.length === 0) stage.plain.options.pageSize = 20
  const { http, puller, pullScheduler } = tab
  const polling = new OpenPolling({ http, puller, pullScheduler, sources: product.sources })
  await waitFor(async () => {
    await polling.poll(replica, open)
    expect(await replica.partition('success_plan_updates', '1')).toHaveLength(40)
  })
  const before = listReads()
  await post(tab)
  await stage.settled(tab)
  expect(listReads()).toBe(before)
})
