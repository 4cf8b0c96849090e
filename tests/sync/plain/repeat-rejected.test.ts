// A server announces keys, and rejects a repeat because its record is there already.
import { expect, test } from 'vitest'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { waitFor } from '../engine-fixture.ts'
import { PlainFixture } from './plain-fixture.ts'

const CREATES = {
  account: (tab: Engine) =>
    tab.enqueue('createAccount', { body: { id: crypto.randomUUID(), name: 'Flood Co' } }),
  action: (tab: Engine) =>
    tab.enqueue('createAction', { body: { id: crypto.randomUUID(), title: 'Flood Co' } }),
  update: (tab: Engine) =>
    tab.enqueue('postPlanUpdate', {
      path: { id: '1' },
      body: { id: crypto.randomUUID(), body: 'Flood Co' },
    }),
}

/** A device whose first create is stored, and its answer lost. */
async function afterLostAnswer(kind: keyof typeof CREATES, status: number) {
  const stage = new PlainFixture({ capabilities: 'ids, keys', clientIds: 'unique' })
  const tab = await stage.readTab()
  const posts = () => stage.plain.seen('POST', /(accounts|actions|updates)$/)
  stage.network = (request) => {
    const answer = stage.answer(request)
    if (request.method !== 'POST') return answer
    if (posts().length === 1) throw new TypeError('Failed to fetch')
    return answer.status === 500 ? { ...answer, status } : answer
  }
  await CREATES[kind](tab)
  await waitFor(() => expect(posts()).toHaveLength(1))
  return { stage, tab, posts }
}

test.for<[keyof typeof CREATES, number]>([
  ['account', 500],
  ['account', 409],
  ['action', 422],
  ['update', 500],
  ['update', 400],
])('a repeated %s that is answered with %i has arrived', async ([kind, status]) => {
  const { stage, tab, posts } = await afterLostAnswer(kind, status)
  await stage.settled(tab)
  // It leaves the device when a pull has shown it.
  expect((await tab.outbox.all()).filter(({ state }) => state !== 'acknowledged')).toEqual([])
  expect(posts()).toHaveLength(2)
})

test('what is rejected and not there needs attention', async () => {
  const stage = new PlainFixture({ capabilities: 'ids, keys', clientIds: 'unique' })
  const tab = await stage.readTab()
  let isFirst = true
  stage.network = (request) => {
    if (request.method !== 'POST') return stage.answer(request)
    if (!isFirst) return { ...stage.answer({ ...request, url: '/api/v1/none' }), status: 422 }
    isFirst = false
    throw new TypeError('Failed to fetch')
  }
  await CREATES.account(tab)
  await stage.settled(tab)
  expect(await tab.outbox.all()).toMatchObject([
    { state: 'attention', last_error: { status: 422 } },
  ])
})

test('no record is asked for by an id that was not sent, where the answer is the first to announce ids', async () => {
  const stage = new PlainFixture({ capabilities: 'keys' })
  const tab = await stage.readTab()
  stage.network = (request) => {
    if (request.method === 'POST') stage.plain.options.capabilities = 'ids, keys'
    return stage.answer(request)
  }
  const id = crypto.randomUUID()
  await tab.enqueue('createAccount', { body: { id, name: 'Flood Co' } })
  await stage.settled(tab)
  expect(stage.plain.requests.filter(({ path }) => path.includes(id))).toEqual([])
})

test('no record is asked for where the create was not answered, but its token could not be renewed', async () => {
  const stage = new PlainFixture({ capabilities: 'ids, keys', clientIds: 'unique' })
  const tab = await stage.readTab()
  const headers = { 'content-type': 'application/json' }
  let renewals = 0
  stage.network = (request) => {
    if (request.url.endsWith('/oauth/token')) {
      renewals += 1
      return { status: 200, headers, text: '{}' }
    }
    return request.method === 'POST' ? { status: 401, headers, text: '{}' } : stage.answer(request)
  }
  const id = crypto.randomUUID()
  await tab.enqueue('createAccount', { body: { id, name: 'Flood Co' } })
  await waitFor(() => expect(renewals).toBeGreaterThan(0))
  await waitFor(async () => expect((await tab.outbox.all())[0]?.not_before).toBeGreaterThan(0))
  expect(stage.plain.requests.filter(({ path }) => path.includes(id))).toEqual([])
})
