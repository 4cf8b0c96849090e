// A pull brings a record while the operation that creates it still waits for its answer.
import { expect, test } from 'vitest'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { waitFor } from '../engine-fixture.ts'
import { PlainFixture, stored } from './plain-fixture.ts'

const id = () => crypto.randomUUID()
const isCreate = ({ method, url }: { method: string; url: string }) =>
  method === 'POST' && /(?:updates|accounts)$/.test(url)

/** A tab whose creates arrive, and whose answers are held back until `answer` is called. */
async function withSlowAnswers() {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const { promise, resolve: answer } = Promise.withResolvers<void>()
  stage.delayRequest = (request) => (isCreate(request) ? promise : Promise.resolve())
  const creates = () => stage.requests.filter(isCreate)
  return { stage, tab, answer, creates }
}

const shownIds = (tab: Engine) =>
  tab.state.operations.get().map(({ input }) => (input.body as { id: string }).id)

test('an account is shown once, under the id of the server', async () => {
  const { stage, tab, answer, creates } = await withSlowAnswers()
  const local = id()
  await tab.enqueue('createAccount', { body: { id: local, name: 'Flood Co' } })
  await tab.enqueue('createSuccessPlan', {
    body: { id: id(), title: 'Dry feet', account_id: local },
  })
  await waitFor(() => expect(creates()).toHaveLength(1))
  await tab.pullScheduler.pullAgain()
  const records = await stored(tab, 'accounts')
  expect(records.filter(({ name }) => name === 'Flood Co')).toMatchObject([{ id: '4' }])
  expect(shownIds(tab)).toContain('4')
  expect(shownIds(tab)).not.toContain(local)
  expect((await tab.outbox.all())[0]?.state).toBe('acknowledged')
  answer()
  await stage.settled(tab)
  expect(creates()).toHaveLength(1)
  const { tables } = stage.plain.records
  expect(tables['success-plans'].at(-1)).toMatchObject({ title: 'Dry feet', account_id: '4' })
  await waitFor(async () => {
    await tab.pullScheduler.pullAgain()
    expect(await tab.outbox.all()).toEqual([])
  })
})

test.for([1, 0])('of a plan with %i updates another one is shown once', async (others) => {
  const { stage, tab, answer, creates } = await withSlowAnswers()
  const { updates } = stage.plain.records.tables
  if (others === 0) updates.length = 0
  const body = { id: id(), body: 'They signed.' }
  await tab.enqueue('postPlanUpdate', { path: { id: '1' }, body })
  await waitFor(() => expect(creates()).toHaveLength(1))
  const replica = tab.activeReplica()
  if (!replica) throw new Error('No organisation is active.')
  await tab.pullScheduler.pullPartition(replica, 'success_plan_updates', '1')
  expect(await replica.partition('success_plan_updates', '1')).toHaveLength(others + 1)
  expect(shownIds(tab)).not.toContain(body.id)
  answer()
  await stage.settled(tab)
  expect(creates()).toHaveLength(1)
})

test('another record with the same words is not taken for it', async () => {
  const { stage, tab, answer, creates } = await withSlowAnswers()
  await tab.enqueue('createAccount', { body: { id: id(), name: 'Flood Co' } })
  await waitFor(() => expect(creates()).toHaveLength(1))
  const [request] = creates()
  // The same from another device.
  if (request) stage.answer(request)
  await tab.pullScheduler.pullAgain()
  expect((await tab.outbox.all())[0]?.state).toBe('pending')
  answer()
  await stage.settled(tab)
  expect(creates()).toHaveLength(1)
})
