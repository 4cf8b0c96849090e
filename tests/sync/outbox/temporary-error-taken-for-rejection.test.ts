// An answer that a later attempt changes is taken for a rejection, or one that is none for an answer.
import { expect, onTestFinished, test } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { random } from '../../../src/sync/browser/web-ports.ts'
import type { Operation } from '../../../src/sync/core/operation.ts'
import { isStuck } from '../../../src/sync/core/replay/stuck.ts'
import { readSent } from '../../../src/sync/core/sent-log.ts'
import { EngineFixture, offline, postUpdate, waitFor } from '../engine-fixture.ts'

const JSON_HEADERS = { 'content-type': 'application/json' }

const isPost = ({ method, url }: { method: string; url: string }) =>
  method === 'POST' && url.endsWith('/updates')

test('sends an update again whose key another request still holds', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  let busyAnswers = 0
  stage.network = (request, answer) => {
    if (!isPost(request) || busyAnswers > 0) return answer()
    busyAnswers += 1
    return {
      status: 409,
      headers: { ...JSON_HEADERS, 'retry-after': '0' },
      text: JSON.stringify({ message: 'A request with this key is running.' }),
    }
  }
  const { id } = await postUpdate(tab, 'They signed.')
  await waitFor(() => expect(stage.effects.map(({ key }) => key)).toEqual([id]))
  expect(busyAnswers).toBe(1)
})

test.each([
  [409, { 'retry-after': '0' }],
  [500, {}],
])(
  'repeats a create after a %i, though another person has renamed its record meanwhile',
  async (status, more) => {
    const stage = new EngineFixture()
    onTestFinished(() => stage.close())
    const tab = await stage.signedInTab('ann')
    const account = { id: random.id(), name: 'Acme' }
    let posts = 0
    stage.network = ({ method, url }, answer) => {
      if (method !== 'POST' || !url.endsWith('/accounts')) return answer()
      posts += 1
      if (posts === 2)
        return { status, headers: { ...JSON_HEADERS, ...more }, text: JSON.stringify({}) }
      const answered = answer()
      if (posts > 1) return answered
      stage.server.editRecord('north', 'accounts', account.id, { name: 'Acme Inc.' })
      return offline({} as never, answer)
    }
    await tab.enqueue('createAccount', { body: account })
    await waitFor(async () => {
      expect((await tab.outbox.all()).map(({ state }) => state)).not.toContain('attention')
      expect(posts).toBe(3)
      expect(await tab.outbox.all()).toEqual([])
    })
  },
)

test('needs attention after a 409 that no later attempt changes', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  stage.network = (request, answer) =>
    isPost(request)
      ? { status: 409, headers: JSON_HEADERS, text: JSON.stringify({ message: 'Key reused.' }) }
      : answer()
  await postUpdate(tab, 'They signed.')
  await waitFor(async () => {
    const last_error = { status: 409, message: 'Key reused.' }
    expect(await tab.outbox.all()).toMatchObject([{ state: 'attention', last_error }])
  })
})

test('keeps an update pending, and its author signed in, when fresh tokens are rejected', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const tokens: string[] = []
  stage.network = (request, answer) => {
    if (!isPost(request)) return answer()
    tokens.push(request.headers.Authorization ?? '')
    return { status: 401, headers: JSON_HEADERS, text: JSON.stringify({ message: 'Who are you?' }) }
  }
  const { id } = await postUpdate(tab, 'They signed.')
  await waitFor(async () => {
    const last_error = { status: 401, message: 'Who are you?' }
    expect(await tab.outbox.all()).toMatchObject([{ id, state: 'pending', last_error }])
  })
  expect(new Set(tokens).size).toBe(2)
  expect(tab.session.current().session?.user.id).toBe('ann')
  const [waiting] = await tab.outbox.all()
  expect(waiting?.not_before).toBeGreaterThan(0)
})

test('reports a deletion behind a captive portal as not done', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const call = product.calls['deleteSuccessPlan']
  if (!call) throw new Error('There is no such call.')
  stage.network = () => ({
    status: 200,
    headers: { 'content-type': 'text/html' },
    text: '<!doctype html><title>Welcome aboard</title>',
  })
  const outcome = await tab.call(call, { path: { id: 'north-1' } })
  expect(outcome).toEqual({ kind: 'unreachable', isForeign: true })
  stage.network = (_request, answer) => answer()
  expect(stage.server.deletedRecords).toEqual(new Set())
})

test('needs attention at the twentieth failure within an hour, once another update got through', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const since = Date.now() - 3_600_000
  const { id } = await postUpdate(tab, 'They signed.')
  await waitFor(async () => expect(await tab.outbox.all()).toEqual([]))
  const sent = await readSent(stage.store, 'ann', Date.now())
  expect(sent.map((one) => one.id)).toEqual([id])
  const waiting = { endpoint: 'postPlanUpdate', user_id: 'ann' } as Operation
  const isStuckAfter = (count: number, from = since, one = waiting) =>
    isStuck(one, { count, since: from }, stage.ports())
  expect(await isStuckAfter(20)).toBe(true)
  expect(await isStuckAfter(19)).toBe(false)
  expect(await isStuckAfter(20, since + 60_000)).toBe(false)
  expect(await isStuckAfter(20, since, { ...waiting, endpoint: 'createAccount' })).toBe(false)
})

test.each([
  ['30 s after the tenth attempt', 9, 30_000, 30_000],
  ['two or three minutes after later ones', 10, 120_000, 180_000],
])('waits %s', async (_, attempts, atLeast, atMost) => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  stage.network = offline
  const { id } = await postUpdate(tab, 'They signed.')
  await waitFor(() => expect(tab.state.connection.get()).toBe('offline'))
  // No tab may try again while it is changed.
  stage.closeTabs()
  const [waiting] = await tab.outbox.all()
  await stage.store.transact(['operations'], 'readwrite', async (tx) =>
    tx.put('operations', id, { ...waiting, attempts }),
  )
  stage.network = (request, answer) =>
    isPost(request) ? { status: 503, headers: JSON_HEADERS, text: '{"message":"Busy."}' } : answer()
  const began = Date.now()
  await stage.tab()
  let until = 0
  await waitFor(async () => {
    const [one] = await tab.outbox.all()
    expect(one?.attempts).toBe(attempts + 1)
    until = one?.not_before ?? 0
    expect(until).toBeGreaterThan(0)
  })
  expect(until - began).toBeGreaterThanOrEqual(atLeast)
  expect(until - Date.now()).toBeLessThanOrEqual(atMost)
})
