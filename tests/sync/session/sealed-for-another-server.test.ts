// Two servers give the same ids, and what is done at one changes what waits, sealed, for the other.
import { expect, onTestFinished, test } from 'vitest'
import { Outbox } from '../../../src/sync/core/outbox.ts'
import type { Operation } from '../../../src/sync/core/operation.ts'
import { endBackoff } from '../../../src/sync/core/replay/end-backoff.ts'
import { EngineFixture } from '../engine-fixture.ts'

const OLD = { baseUrl: 'https://old.test' }
const NEW = { baseUrl: 'https://new.test' }
const STALE = { error: { status: 412, message: '' } }

/** A device with the same user and the same plan at both servers. */
function deviceOfTwoServers() {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const outbox = new Outbox(stage.ports())
  const ofPlan = { user_id: '1', organisation_id: '7' }
  const path = { id: '5' }
  const edit = (body: object, seen: object) =>
    outbox.enqueue({
      ...ofPlan,
      endpoint: 'updateSuccessPlan',
      input: { path, body },
      seen: { id: '5', version: 1, ...seen },
    })
  const remove = () =>
    outbox.enqueue({
      ...ofPlan,
      endpoint: 'deleteSuccessPlan',
      input: { path },
      seen: { id: '5', version: 1, title: 'First' },
    })
  const stored = async (): Promise<Operation[]> => {
    const all = await stage.store.transact(['operations'], 'readonly', (tx) =>
      tx.all('operations', []),
    )
    return (all as Operation[]).filter(({ api }) => api === OLD.baseUrl)
  }
  /** Makes operations at the old server, and resolves to them as they are sealed. */
  const seal = async (make: () => Promise<unknown>): Promise<Operation[]> => {
    stage.address = OLD
    await make()
    stage.address = NEW
    return await stored()
  }
  return { stage, outbox, edit, remove, seal, stored }
}

/** A question about the title of the plan, or about its deletion. */
async function askAbout(operation: Operation, { outbox }: { outbox: Outbox }) {
  const theirs = { id: '5', version: 2, title: 'Theirs' }
  await outbox.conflicts.rebase(operation, { ...STALE, theirs, changed_by: { title: '2' } })
}

test('a conflict leaves the question and the edit that wait for another server as they are', async () => {
  const device = deviceOfTwoServers()
  const { outbox, edit } = device
  const before = await device.seal(async () => {
    await askAbout(await edit({ title: 'Sealed' }, { title: 'First' }), device)
    await edit({ description: 'Sealed' }, { description: '' })
  })
  expect(before.map(({ state }) => state)).toEqual(['attention', 'pending'])
  const ours = await edit({ title: 'Ours' }, { title: 'First' })
  const theirs = { id: '5', version: 9, title: 'Of another plan' }
  await outbox.conflicts.rebase(ours, { ...STALE, theirs, changed_by: { title: '3' } })
  expect(await device.stored()).toEqual(before)
  const [question] = await outbox.all()
  expect(question).toMatchObject({ state: 'attention', conflict: { fields: ['title'], theirs } })
  await outbox.conflicts.resolve(question ?? { id: '' }, [])
  expect(await device.stored()).toEqual(before)
})

test('an accepted edit answers no question of another server', async () => {
  const device = deviceOfTwoServers()
  const { outbox, edit } = device
  const before = await device.seal(async () => {
    await askAbout(await edit({ title: 'Sealed' }, { title: 'First' }), device)
  })
  const { id } = await edit({ title: 'Ours' }, { title: 'First' })
  await outbox.acknowledge(id, { id: '5', version: 2, title: 'Ours' })
  expect(await device.stored()).toEqual(before)
})

test('an accepted edit is no base of one that waits for another server', async () => {
  const device = deviceOfTwoServers()
  const { outbox, edit } = device
  const before = await device.seal(() => edit({ title: 'Sealed' }, { title: 'First' }))
  const { id } = await edit({ title: 'Ours' }, { title: 'First' })
  await outbox.acknowledgeAll(new Map([[id, { id: '5', version: 2, title: 'Ours' }]]))
  expect(await device.stored()).toEqual(before)
})

test('a deletion answers none that waits for another server', async () => {
  const device = deviceOfTwoServers()
  const { outbox, remove } = device
  const before = await device.seal(async () => askAbout(await remove(), device))
  expect(before.map(({ conflict }) => conflict?.fields)).toEqual([['title']])
  await outbox.acknowledge((await remove()).id, { id: '5' })
  expect(await device.stored()).toEqual(before)
})

test('an edit that is discarded changes the base of none that waits for another server', async () => {
  const device = deviceOfTwoServers()
  const { outbox, edit } = device
  const { id } = await device
    .seal(async () => undefined)
    .then(() => edit({ title: 'Ours' }, { title: 'First' }))
  const before = await device.seal(() => edit({ title: 'Sealed' }, { title: 'Ours' }))
  await outbox.discard(id)
  expect(await device.stored()).toEqual(before)
})

test('what was sent to one server is no own value at another', async () => {
  const device = deviceOfTwoServers()
  const { stage, outbox, edit } = device
  const before = await device.seal(() => edit({ title: 'Sealed' }, { title: 'First' }))
  const engine = stage.engine()
  await engine.session.signIn({
    access_token: 'access',
    refresh_token: 'refresh',
    user: { id: '1' },
    active_organisation: { id: '7' },
  })
  const { id } = await edit({ title: 'Ours' }, { title: 'First' })
  await outbox.acknowledge(id, { id: '5', version: 2, title: 'Ours' })
  await engine.session.signOut('1', true)
  expect(await device.stored()).toEqual(before)
})

test('sending now ends no delay of what waits for another server', async () => {
  const device = deviceOfTwoServers()
  const { stage, outbox, edit } = device
  const before = await device.seal(async () => {
    const { id } = await edit({ title: 'Sealed' }, { title: 'First' })
    await outbox.update(id, (one) => ({ ...one, attempts: 1 }))
    await outbox.postpone(id, stage.now() + 60_000, null)
  })
  await endBackoff(stage.ports(), outbox, '1', true)
  expect(await device.stored()).toEqual(before)
})
