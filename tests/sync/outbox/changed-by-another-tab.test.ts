// Another tab answers, rejects or discards an operation, or adds one, while this tab is about to send it
// or to store its response.
import { expect, onTestFinished, test } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
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

test('a late rejection does not undo an acknowledgement', async () => {
  const { stage, tab, id, other } = await pendingUpdate()
  stage.closeTabs()
  await other.acknowledge(id, { id: 'x' })
  expect(await tab.outbox.reject(id, REJECTED)).toMatchObject({ state: 'acknowledged' })
  expect(await tab.outbox.all()).toMatchObject([{ state: 'acknowledged', last_error: null }])
})

/** A tab that sends twelve updates of as many plans: six are held, six are claimed. */
async function twelveClaimed() {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
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

test('what was claimed and is discarded before its turn is not sent', async () => {
  const { tab, waiting, posts, release } = await twelveClaimed()
  const discarded = waiting[0]
  await tab.outbox.discard(discarded?.id ?? '')
  await tab.outboxChanged()
  release()
  await waitFor(() => expect(posts()).toHaveLength(11))
  await waitFor(() => expect(tab.state.sending.get().size).toBe(0))
  expect(posts().map(({ headers }) => headers['Idempotency-Key'])).not.toContain(discarded?.id)
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

test('what is enqueued while the last response is stored is sent in the same run', async () => {
  const { stage, id } = await pendingUpdate()
  stage.closeTabs()
  stage.requests.length = 0
  stage.network = (_request, answer) => answer()
  const ports: Ports = stage.ports()
  const session = new SessionManager(ports, async () => ({ result: 'unreachable' }))
  await session.start({ seq: 0, session: null })
  const outbox = new Outbox(ports)
  const http = new Http(ports, session, () => undefined)
  const withLock = ports.locks.withLock.bind(ports.locks)
  let late: string | undefined
  ports.locks = {
    // Between the end of the work and the end of the run.
    withLock: async (name, options, work) => {
      const locked = await withLock(name, options, work)
      if (late !== undefined) return locked
      const [pending] = await outbox.all()
      if (!pending) throw new Error('The outbox is empty.')
      const { endpoint, user_id, organisation_id } = pending
      const body = { id: ports.random.id(), body: 'And paid.' }
      const input = { path: { id: 'north-2' }, body }
      late = (await outbox.enqueue({ endpoint, input, user_id, organisation_id })).id
      replay.outboxChanged()
      return locked
    },
  }
  const replay = new Replay(ports, outbox, session, http, product, () => undefined)
  expect(await replay.run(1_000)).toMatchObject({ acknowledged: 2 })
  expect(stage.effects.map(({ key }) => key)).toEqual([id, late])
})
