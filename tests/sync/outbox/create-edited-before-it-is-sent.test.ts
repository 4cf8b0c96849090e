// A create is edited while a form shows its earlier values, and that form is saved after it has arrived.
import { expect, onTestFinished, test } from 'vitest'
import { random } from '../../../src/sync/browser/web-ports.ts'
import { EngineFixture, offline, waitFor } from '../engine-fixture.ts'

test('the own value that the create has set is not asked about', async () => {
  const device = new EngineFixture()
  onTestFinished(() => device.close())
  const tab = await device.signedInTab('ann')
  device.network = offline
  const id = random.id()
  const plan = { id, type: 'project' }
  const create = await tab.enqueue('createSuccessPlan', { body: { ...plan, title: 'First' } })
  await tab.outbox.edit(create.id, { ...plan, title: 'Second' })
  // No pull is answered, nor one of the lists, so that what has arrived stays in the outbox.
  device.network = (request, answer) =>
    request.method === 'GET'
      ? { status: 503, headers: { 'content-type': 'application/json' }, text: '{}' }
      : answer()
  await waitFor(async () => {
    tab.wake()
    expect(await tab.outbox.all()).toMatchObject([{ state: 'acknowledged' }])
  })
  const edit = { path: { id }, body: { title: 'Third' } }
  await tab.enqueue('updateSuccessPlan', edit, { id, version: 0, title: 'First' })
  await waitFor(async () => {
    tab.wake()
    expect((await tab.outbox.all()).filter(({ state }) => state === 'pending')).toEqual([])
  })
  expect((await tab.outbox.all()).map(({ state }) => state)).toEqual([
    'acknowledged',
    'acknowledged',
  ])
})
