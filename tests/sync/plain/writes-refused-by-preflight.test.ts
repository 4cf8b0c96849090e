// The server's CORS headers let no write through: to the page each of them is a lost request.
import { expect, test } from 'vitest'
import type { NetworkRequest } from '../../../src/sync/core/ports.ts'
import { waitFor } from '../engine-fixture.ts'
import { PlainFixture } from './plain-fixture.ts'

const isPost = ({ method, url }: NetworkRequest) => method === 'POST' && url.endsWith('/updates')
const isJson = ({ headers }: NetworkRequest) => headers['Content-Type'] !== undefined
const isCheck = (request: NetworkRequest) => request.method === 'GET' && isJson(request)

/** A tab whose requests are lost as `isLost` decides, with an update that was lost once. */
async function losing(isLost: (request: NetworkRequest) => boolean) {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.requests.length = 0
  stage.network = (request) => {
    if (isLost(request)) throw new TypeError('Failed to fetch')
    return stage.answer(request)
  }
  const body = { id: crypto.randomUUID(), body: 'They signed.' }
  await tab.enqueue('postPlanUpdate', { path: { id: '1' }, body })
  await waitFor(() => expect(stage.requests.filter(isPost)).toHaveLength(1))
  return { stage, tab }
}

test('the connection is not understood after the first write', async () => {
  const { stage, tab } = await losing(isJson)
  await waitFor(() => expect(tab.state.connection.get()).toBe('not-understood'))
  expect(stage.requests.filter(isPost)).toHaveLength(1)
  expect(stage.requests.filter(isCheck).length).toBeLessThanOrEqual(3)
})

test('after one lost write the app is online again, and checks writes once', async () => {
  let isFirst = true
  const { stage, tab } = await losing((request) => {
    if (!isPost(request) || !isFirst) return false
    isFirst = false
    return true
  })
  await waitFor(() => expect(stage.requests.filter(isCheck)).toHaveLength(1))
  await waitFor(() => expect(tab.state.connection.get()).toBe('online'))
  await stage.settled(tab)
  expect(stage.requests.filter(isCheck)).toHaveLength(1)
  expect(tab.state.connection.get()).toBe('online')
})

test('a lost network is checked by one read', async () => {
  let isGone = false
  const { stage, tab } = await losing((request) => {
    isGone ||= isPost(request)
    return isGone
  })
  await waitFor(() => expect(stage.requests.at(-1)?.url).toContain('/userinfo'))
  expect(tab.state.connection.get()).toBe('offline')
  expect(stage.requests.filter(isCheck)).toEqual([])
})

test('writes that have arrived, and whose answers alone are lost, are no fault of the server', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.network = (request) => {
    const answer = stage.answer(request)
    if (request.method === 'GET' || request.url.endsWith('/oauth/token')) return answer
    throw new TypeError('Failed to fetch')
  }
  for (const title of ['One', 'Two', 'Three']) {
    await tab.enqueue('updateSuccessPlan', { path: { id: '1' }, body: { title } })
    await stage.settled(tab)
  }
  expect(stage.plain.seen('PATCH', /success-plans/)).toHaveLength(3)
  expect(tab.state.connection.get()).toBe('online')
})
