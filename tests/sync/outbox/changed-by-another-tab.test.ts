// Another tab answers, rejects or discards an operation, or adds one, while this tab is about to send it
// or to store its response.
import { expect, onTestFinished, test } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { random } from '../../../src/sync/browser/web-ports.ts'
import { Http } from '../../../src/sync/core/api/http.ts'
import { Outbox } from '../../../src/sync/core/outbox.ts'
import type { Ports } from '../../../src/sync/core/ports.ts'
import { Replay } from '../../../src/sync/core/replay/replay.ts'
import { SessionManager } from '../../../src/sync/core/session.ts'
import { EngineFixture, offline, postUpdate, waitFor } from '../engine-fixture.ts'

const REJECTED = { status: 403, message: 'Not allowed.' }

/** A tab with an update posted offline, and the outbox of another tab. */
async function pendingUpdate() {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  stage.network = offline
  const { id } = await postUpdate(tab, 'They signed.')
  await waitFor(() => expect(tab.state.connection.get()).toBe('offline'))
  return { stage, tab, id, other: new Outbox(stage.ports()) }
}

test('what another tab has answered, rejected or discarded meanwhile is not claimed', async () => {
  const { stage, tab, id, other } = await pendingUpdate()
  const second = await postUpdate(tab, 'And paid.', 'north-2')
  const third = await postUpdate(tab, 'And left.', 'north-3')
  stage.closeTabs()
  await other.reject(id, REJECTED)
  await other.acknowledge(second.id, { id: 'x' })
  await other.discard(third.id)
  expect(await tab.outbox.claim([id, second.id, third.id])).toEqual([])
})

test('what another tab has stored before it was killed is shown and sent', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  await waitFor(() => expect(tab.state.lastSyncedAt.get()).not.toBeNull())
  const body = { id: random.id(), body: 'They paid.' }
  const author = { user_id: 'ann', organisation_id: 'north' }
  const input = { path: { id: 'north-1' }, body }
  await new Outbox(stage.ports()).enqueue({ endpoint: 'postPlanUpdate', input, ...author })
  tab.wake()
  await waitFor(() => expect(stage.storedTexts).toEqual(['They paid.']))
})

test('what the worker has sent during a pull of the tab leaves the outbox', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  await waitFor(() => expect(tab.state.lastSyncedAt.get()).not.toBeNull())
  await tab.pullScheduler.pullAgain()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { promise: pulling, resolve: beginPull } = Promise.withResolvers<void>()
  stage.delayRequest = async ({ url }) => {
    if (!url.includes('/changes')) return
    beginPull()
    await held
  }
  const pulled = tab.pullScheduler.pull()
  await pulling
  const worker = new Outbox(stage.ports())
  const body = { id: random.id(), body: 'They paid.' }
  const author = { user_id: 'ann', organisation_id: 'north' }
  const input = { path: { id: 'north-1' }, body }
  const { id } = await worker.enqueue({ endpoint: 'postPlanUpdate', input, ...author })
  await worker.acknowledge(id, { id: body.id })
  stage.ports().channel.post({ type: 'sent' })
  // The message has arrived while the pull is under way.
  await waitFor(() => expect(tab.state.operations.get().map((one) => one.id)).toEqual([id]))
  release()
  await pulled
  await waitFor(async () => expect(await worker.all()).toEqual([]))
})

test('what a tab was sending that is gone is not shown as being sent once this one may send', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const body = { id: random.id(), body: 'They paid.' }
  const input = { path: { id: 'north-1' }, body }
  const { id } = await tab.enqueue('postPlanUpdate', input, undefined, undefined, 60_000)
  await waitFor(() => expect(tab.state.connection.get()).toBe('online'))
  stage.ports().channel.post({ type: 'sending', ids: [id] })
  await waitFor(() => expect([...tab.state.sending.get()]).toEqual([id]))
  tab.wake()
  await waitFor(() => expect(tab.state.sending.get().size).toBe(0))
  expect(await tab.outbox.all()).toMatchObject([{ state: 'pending', attempts: 0 }])
})

test('what a tab was sending that is gone is not shown as being sent once it has arrived', async () => {
  const { stage, tab, id, other } = await pendingUpdate()
  await waitFor(() => expect(tab.state.sending.get().size).toBe(0))
  await other.acknowledge(id, { id: 'x' })
  await tab.outboxChanged()
  const shown: string[][] = []
  tab.state.sending.subscribe(() => shown.push([...tab.state.sending.get()]))
  stage.ports().channel.post({ type: 'sending', ids: [id] })
  await waitFor(() => expect(shown).toEqual([[id], []]))
})

test('a late rejection does not undo an acknowledgement', async () => {
  const { stage, tab, id, other } = await pendingUpdate()
  stage.closeTabs()
  await other.acknowledge(id, { id: 'x' })
  expect(await tab.outbox.reject(id, REJECTED)).toMatchObject({ state: 'acknowledged' })
  expect(await tab.outbox.all()).toMatchObject([{ state: 'acknowledged', last_error: null }])
})

test('an operation that another tab has pruned leaves the screens after its record is on them', async () => {
  const { stage, tab, id, other } = await pendingUpdate()
  const changes: { shown: number; partitions: string[] | undefined }[] = []
  stage.onChanged = async (_scope, { success_plan_updates }) => {
    const shown = tab.state.operations.get().length
    changes.push({ shown, partitions: success_plan_updates?.partitions })
  }
  await other.acknowledge(id, { id: 'x' })
  await tab.outboxChanged()
  expect(changes).toEqual([])
  await other.prune(Infinity, () => true)
  tab.wake()
  await waitFor(() => expect(tab.state.operations.get()).toEqual([]))
  expect(changes).toEqual([{ shown: 1, partitions: ['north-1'] }])
})

/** A tab that sends twelve updates of as many plans: six are held, six are claimed. */
async function twelveClaimed() {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  stage.server.settings.has_batch = false
  const tab = await stage.signedInTab('ann')
  const online = stage.network
  stage.network = offline
  for (let index = 0; index < 12; index += 1)
    await postUpdate(tab, `Update ${index}.`, `north-${index}`)
  await waitFor(() => expect(tab.state.connection.get()).toBe('offline'))
  stage.requests.length = 0
  stage.network = online
  const { promise: held, resolve: release, reject: lose } = Promise.withResolvers<void>()
  stage.delayRequest = ({ method }) => (method === 'POST' ? held : Promise.resolve())
  tab.wake()
  const posts = () => stage.requests.filter(({ method }) => method === 'POST')
  await waitFor(async () => {
    expect(posts()).toHaveLength(6)
    expect((await tab.outbox.all()).every(({ attempts }) => attempts > 0)).toBe(true)
  })
  const waiting = (await tab.outbox.all()).slice(6)
  expect(waiting).toHaveLength(6)
  return { stage, tab, waiting, posts, release, lose }
}

test('what was claimed is too late to be discarded, and is sent', async () => {
  const { tab, waiting, posts, release } = await twelveClaimed()
  expect(await tab.outbox.discard(waiting[0]?.id ?? '')).toEqual([])
  release()
  await waitFor(() => expect(posts()).toHaveLength(12))
})

test('what was claimed and is gone before its turn is not sent', async () => {
  const { stage, tab, waiting, posts, release } = await twelveClaimed()
  const [gone] = waiting
  await stage.remove(gone?.id)
  // The answers come while the screens still read the outbox.
  const changed = tab.outboxChanged()
  release()
  await changed
  await waitFor(() => expect(posts()).toHaveLength(11))
  await waitFor(() => expect(tab.state.sending.get().size).toBe(0))
  expect(posts().map(({ headers }) => headers['Idempotency-Key'])).not.toContain(gone?.id)
})

test('what was claimed and not sent, because answers stopped, can be edited again', async () => {
  const { stage, tab, posts, lose } = await twelveClaimed()
  stage.network = offline
  lose(new Error('There is no network.'))
  await waitFor(async () =>
    expect((await tab.outbox.all()).slice(6).map(({ attempts }) => attempts)).toEqual(
      Array.from({ length: 6 }, () => 0),
    ),
  )
  expect(posts()).toHaveLength(6)
})

/** The replay of a context that has nothing else; `change` replaces parts of its ports. */
async function replayOf(stage: EngineFixture, change: (ports: Ports) => Partial<Ports>) {
  const real = stage.ports()
  const ports: Ports = { ...real, ...change(real) }
  const session = new SessionManager(ports, async () => ({ result: 'unreachable' }))
  await session.start({ seq: 0, session: null })
  const http = new Http(ports, session, () => undefined)
  return new Replay(ports, new Outbox(ports), session, http, product, () => undefined)
}

/** Enqueues an update like the one that is pending; resolves to its id. */
async function enqueueAnother(outbox: Outbox): Promise<string> {
  const [pending] = await outbox.all()
  if (!pending) throw new Error('The outbox is empty.')
  const { endpoint, user_id, organisation_id } = pending
  const input = { path: { id: 'north-2' }, body: { id: random.id(), body: 'And paid.' } }
  return (await outbox.enqueue({ endpoint, input, user_id, organisation_id })).id
}

test('what is enqueued while the last response is stored is sent in the same run', async () => {
  const { stage, id, other } = await pendingUpdate()
  stage.closeTabs()
  stage.network = (_request, answer) => answer()
  let late: string | undefined
  const replay = await replayOf(stage, ({ locks }) => ({
    locks: {
      // Between the end of the work and the end of the run.
      withLock: async (name, options, work) => {
        const locked = await locks.withLock(name, options, work)
        if (late !== undefined) return locked
        late = await enqueueAnother(other)
        replay.outboxChanged()
        return locked
      },
    },
  }))
  expect(await replay.run(1_000)).toMatchObject({ acknowledged: 2 })
  expect(stage.effects.map(({ key }) => key)).toEqual([id, late])
})

test('what is enqueued while the outbox is read is sent in the same run', async () => {
  const { stage, id, other } = await pendingUpdate()
  stage.closeTabs()
  stage.network = (_request, answer) => answer()
  let late: string | undefined
  const replay = await replayOf(stage, ({ store }) => ({
    store: {
      transact: async (stores, mode, work) => {
        const result = await store.transact(stores, mode, work)
        // The result is older than what is enqueued now.
        if (late === undefined && mode === 'readonly' && stores.includes('operations')) {
          late = await enqueueAnother(other)
          replay.outboxChanged()
        }
        return result
      },
    },
  }))
  expect(await replay.run(1_000)).toMatchObject({ acknowledged: 2 })
  expect(stage.effects.map(({ key }) => key)).toEqual([id, late])
})

test('an edit that is accepted while the outbox changes ends a question about its field', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const edited = (body: object) => {
    const plan = stage.server.tenants.get('north')?.records.success_plans.get('north-1')
    return ['updateSuccessPlan', { path: { id: 'north-1' }, body }, { ...plan }] as const
  }
  stage.network = offline
  await tab.enqueue(...edited({ title: 'Earlier', description: 'Mine' }))
  stage.server.editPlan('north', 'north-1', { description: 'Bob’s' }, Date.now())
  stage.network = (_request, answer) => answer()
  tab.wake()
  await waitFor(async () => expect(await tab.outbox.all()).toMatchObject([{ state: 'attention' }]))
  stage.network = offline
  await tab.enqueue(...edited({ title: 'Later' }))
  stage.closeTabs()
  stage.network = (_request, answer) => answer()
  const replay = await replayOf(stage, ({ store }) => ({
    store: {
      transact: async (stores, mode, work) => {
        const result = await store.transact(stores, mode, work)
        if (mode === 'readwrite' && stage.effects.length > 0) replay.outboxChanged()
        return result
      },
    },
  }))
  await replay.run(1_000)
  const questions = (await tab.outbox.all()).filter(({ conflict }) => conflict)
  expect(questions).toMatchObject([{ input: { body: { description: 'Mine' } } }])
  expect(questions[0]?.input.body).not.toHaveProperty('title')
})
