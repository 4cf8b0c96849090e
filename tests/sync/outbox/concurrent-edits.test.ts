import { expect, test } from 'vitest'
import { random } from '../../../src/sync/browser/web-ports.ts'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { readSent } from '../../../src/sync/core/sent-log.ts'
import { EngineFixture, offline, waitFor } from '../engine-fixture.ts'

const PLAN = 'north-1'
const path = { id: PLAN }
const version = (stage: EngineFixture) => record(stage).version
const record = (stage: EngineFixture) =>
  stage.server.tenants.get('north')?.records.success_plans.get(PLAN) ?? { version: 0 }
const writes = (stage: EngineFixture) => stage.requests.filter(({ method }) => method !== 'GET')

/** Edits the plan as a user who sees the server's current record. */
const edit = (stage: EngineFixture, engine: Engine, body: object) =>
  engine.enqueue('updateSuccessPlan', { path, body }, { ...record(stage) })

/** Disables the network until the returned function is called. */
function goOffline(stage: EngineFixture, engine: Engine): () => void {
  stage.network = () => {
    throw new Error('There is no network.')
  }
  return () => {
    stage.network = (_request, answer) => answer()
    engine.wake()
  }
}

const findConflict = async (engine: Engine) => {
  const operations = await engine.outbox.all()
  return operations.find(({ conflict }) => conflict !== undefined)
}

test('merges changes of different fields without a question', async () => {
  const stage = new EngineFixture()
  const engine = await stage.signedInTab('ann')
  const reconnect = goOffline(stage, engine)
  await edit(stage, engine, { title: 'Ann’s title' })
  stage.server.editPlan('north', PLAN, { description: 'Bob’s description' }, Date.now())
  reconnect()
  await waitFor(async () => expect(await engine.outbox.all()).toEqual([]))
  expect(record(stage)).toMatchObject({
    title: 'Ann’s title',
    description: 'Bob’s description',
  })
  expect(await readSent(stage.store, 'ann', Date.now())).toMatchObject([{ merged: true }])
  stage.close()
})

test('asks about a field that both changed, and applies the choice', async () => {
  for (const [keep, title] of [
    [['title'], 'Ann’s title'],
    [[], 'Bob’s title'],
  ] as const) {
    const stage = new EngineFixture()
    const engine = await stage.signedInTab('ann')
    const reconnect = goOffline(stage, engine)
    await edit(stage, engine, { title: 'Ann’s title' })
    stage.server.editPlan('north', PLAN, { title: 'Bob’s title' }, Date.now())
    reconnect()
    await waitFor(async () => expect(await findConflict(engine)).toBeDefined())
    expect(record(stage)).toMatchObject({ title: 'Bob’s title' })
    const question = await findConflict(engine)
    expect(question).toMatchObject({
      state: 'attention',
      base: { fields: { title: PLAN } },
      conflict: { fields: ['title'], theirs: { title: 'Bob’s title' } },
    })
    await engine.outbox.conflicts.resolve(question ?? { id: '' }, keep)
    await engine.outboxChanged()
    await waitFor(async () => expect(await engine.outbox.all()).toEqual([]))
    expect(record(stage)).toMatchObject({ title })
    stage.close()
  }
})

test('asks about a value that another person has set before the own create was recognised by its record', async () => {
  const stage = new EngineFixture()
  const engine = await stage.signedInTab('ann')
  const account = { id: random.id(), name: 'Acme' }
  let posts = 0
  stage.network = ({ method }, answer) => {
    const answered = answer()
    if (method !== 'POST') return answered
    posts += 1
    if (posts === 1) throw new Error('The answer is lost.')
    const fields = { renewal_date: '2031-03-15' }
    stage.server.editRecord('north', 'accounts', account.id, fields)
    return { ...answered, status: 500, text: '' }
  }
  await engine.enqueue('createAccount', { body: account })
  await engine.enqueue(
    'updateAccount',
    { path: { id: account.id }, body: { renewal_date: '2032-03-03' } },
    { ...account, renewal_date: null, version: 0 },
  )
  await waitFor(async () =>
    expect(await findConflict(engine)).toMatchObject({
      conflict: { theirs: { renewal_date: '2031-03-15' } },
    }),
  )
  stage.close()
})

test('an edit made without versions is not based on the first version that another one is answered with', async () => {
  const stage = new EngineFixture()
  const engine = await stage.signedInTab('ann')
  const { outbox } = engine
  const seen = { ...record(stage), version: 0 }
  const edited = (body: object) => ({
    endpoint: 'updateSuccessPlan',
    input: { path, body },
    user_id: 'ann',
    organisation_id: 'north',
    seen,
  })
  const first = await outbox.enqueue(edited({ title: 'First' }))
  const second = await outbox.enqueue(edited({ description: 'Second' }))
  await outbox.acknowledge(first.id, { ...seen, title: 'First', version: 7 })
  const waiting = (await outbox.all()).find(({ id }) => id === second.id)
  expect(waiting?.base?.version).toBe(0)
  stage.close()
})

test('asks nothing when both wrote the same value', async () => {
  const stage = new EngineFixture()
  const engine = await stage.signedInTab('ann')
  const reconnect = goOffline(stage, engine)
  await edit(stage, engine, { title: 'The better title ' })
  stage.server.editPlan('north', PLAN, { title: 'The better title' }, Date.now())
  reconnect()
  await waitFor(async () => expect(await engine.outbox.all()).toEqual([]))
  stage.close()
})

test('posts the note while its progress is in conflict', async () => {
  const stage = new EngineFixture()
  const engine = await stage.signedInTab('ann')
  const reconnect = goOffline(stage, engine)
  const body = { id: random.id(), body: 'Two of three teams are live', progress: 60 }
  await engine.enqueue('postPlanUpdate', { path, body }, { ...record(stage) })
  stage.server.editPlan('north', PLAN, { progress: 75 }, Date.now())
  reconnect()
  await waitFor(() => expect(stage.storedTexts).toEqual(['Two of three teams are live']))
  await waitFor(async () => expect(await findConflict(engine)).toBeDefined())
  expect(record(stage)).toMatchObject({ progress: 75 })
  const question = await findConflict(engine)
  expect(question?.input.body).toEqual({ id: expect.any(String) as string, progress: 60 })
  await engine.outbox.conflicts.resolve(question ?? { id: '' }, ['progress'])
  await engine.outboxChanged()
  await waitFor(() => expect(record(stage)).toMatchObject({ progress: 60 }))
  expect(stage.storedTexts).toHaveLength(2)
  stage.close()
})

test('asks about the outcome of a plan that both completed; its note closes the plan, or is posted alone', async () => {
  for (const [keep, outcome, close_note] of [
    [['outcome'], 'missed', 'It was late'],
    [[], 'achieved', 'All of it'],
  ] as const) {
    const stage = new EngineFixture()
    const engine = await stage.signedInTab('ann')
    const reconnect = goOffline(stage, engine)
    const completion = { body: 'It was late', status: 'completed', outcome: 'missed' } as const
    const input = { path, body: { id: random.id(), ...completion } }
    await engine.enqueue('postPlanUpdate', input, { ...record(stage) })
    const theirs = { status: 'completed', outcome: 'achieved' }
    stage.server.editPlan('north', PLAN, { ...theirs, note: 'All of it' }, Date.now())
    reconnect()
    await waitFor(async () =>
      expect(await findConflict(engine)).toMatchObject({ conflict: { fields: ['outcome'] } }),
    )
    expect(record(stage)).toMatchObject(theirs)
    await engine.outbox.conflicts.resolve((await findConflict(engine)) ?? { id: '' }, keep)
    await engine.outboxChanged()
    await waitFor(async () => expect(await engine.outbox.all()).toEqual([]))
    expect(record(stage)).toMatchObject({ status: 'completed', outcome, close_note })
    const updates = stage.server.tenants.get('north')?.records.success_plan_updates.values() ?? []
    expect([...updates].map(({ body }) => body)).toEqual(['All of it', 'It was late'])
    const gaveUp = (await readSent(stage.store, 'ann', Date.now())).filter((one) => one.given_up)
    expect(gaveUp.map((one) => one.input.body)).toMatchObject(keep.length > 0 ? [] : [completion])
    stage.close()
  }
})

test('keeps the chosen outcome of a question that an earlier build has stored', async () => {
  const stage = new EngineFixture()
  const engine = await stage.signedInTab('ann')
  const reconnect = goOffline(stage, engine)
  const body = { id: random.id(), status: 'completed', outcome: 'missed' }
  await engine.enqueue('postPlanUpdate', { path, body }, { ...record(stage) })
  const theirs = { status: 'completed', outcome: 'achieved' }
  stage.server.editPlan('north', PLAN, theirs, Date.now())
  reconnect()
  await waitFor(async () => expect(await findConflict(engine)).toMatchObject({ input: { body } }))
  const question = await findConflict(engine)
  const chosen = await engine.outbox.conflicts.resolve(question ?? { id: '' }, ['outcome'])
  // A server refuses another body under the same key.
  expect(chosen).not.toMatchObject({ id: question?.id })
  await engine.outboxChanged()
  await waitFor(async () => expect(await engine.outbox.all()).toEqual([]))
  const posted = writes(stage).at(-1)
  expect(JSON.parse(posted?.body ?? '{}')).not.toHaveProperty('status')
  expect(record(stage)).toMatchObject({ status: 'completed', outcome: 'missed' })
  stage.close()
})

test('sends the user’s own consecutive edits without a conflict, in one request each', async () => {
  const stage = new EngineFixture()
  const engine = await stage.signedInTab('ann')
  const reconnect = goOffline(stage, engine)
  const seen = { ...record(stage) }
  await engine.enqueue('updateSuccessPlan', { path, body: { title: 'First' } }, seen)
  const body = { id: random.id(), body: 'Going well', progress: 30 }
  await engine.enqueue('postPlanUpdate', { path, body }, { ...seen, title: 'First' })
  await engine.enqueue(
    'updateSuccessPlan',
    { path, body: { title: 'Second' } },
    { ...seen, title: 'First', progress: 30 },
  )
  await waitFor(() => expect(engine.state.connection.get()).toBe('offline'))
  const before = writes(stage).length
  reconnect()
  await waitFor(async () => expect(await engine.outbox.all()).toEqual([]))
  expect(record(stage)).toMatchObject({ title: 'Second', progress: 30 })
  expect(writes(stage)).toHaveLength(before + 3)
  stage.close()
})

test('sends an edit without a base as it is', async () => {
  const stage = new EngineFixture()
  const engine = await stage.signedInTab('ann')
  const reconnect = goOffline(stage, engine)
  await engine.enqueue('updateSuccessPlan', { path, body: { title: 'Of old' } })
  stage.server.editPlan('north', PLAN, { title: 'A newer title' }, Date.now())
  const before = version(stage)
  reconnect()
  await waitFor(() => expect(record(stage)).toMatchObject({ title: 'Of old' }))
  expect(version(stage)).toBe(before + 1)
  stage.close()
})

test('asks for attention once when a 412 shows no newer record', async () => {
  const stage = new EngineFixture()
  const engine = await stage.signedInTab('ann')
  stage.network = (request, answer) =>
    request.method === 'PATCH'
      ? {
          status: 412,
          headers: { 'content-type': 'application/json' },
          text: JSON.stringify({ message: 'Changed.', data: record(stage) }),
        }
      : answer()
  await edit(stage, engine, { title: 'Refused' })
  await waitFor(async () => {
    const [operation] = await engine.outbox.all()
    expect(operation).toMatchObject({ state: 'attention', last_error: { status: 412 } })
    expect(operation?.conflict).toBeUndefined()
  })
  expect(writes(stage).filter(({ method }) => method === 'PATCH')).toHaveLength(1)
  stage.close()
})

test('sends an operation once that was discarded after a power cut and restored', async () => {
  const stage = new EngineFixture()
  const engine = await stage.signedInTab('ann')
  stage.network = (request, answer) => {
    const answered = answer()
    if (request.method === 'POST' && request.url.includes('updates'))
      throw new Error('The answer was lost.')
    return answered
  }
  const body = { id: random.id(), body: 'Second thoughts' }
  const { id } = await engine.enqueue('postPlanUpdate', { path, body })
  await waitFor(() => expect(stage.storedTexts).toEqual(['Second thoughts']))
  stage.network = offline
  await waitFor(() => expect(engine.state.connection.get()).toBe('offline'))
  await waitFor(() => expect(engine.state.sending.get().size).toBe(0))
  // The count of its attempt was not flushed to the disk.
  await engine.outbox.update(id, (one) => ({ ...one, attempts: 0 }))
  const discarded = await engine.outbox.discard(id)
  expect(await engine.outbox.all()).toEqual([])
  await engine.outbox.restore(discarded)
  stage.network = (_request, answer) => answer()
  await engine.outboxChanged()
  engine.wake()
  await waitFor(async () => expect(await engine.outbox.all()).toEqual([]))
  expect(stage.storedTexts).toEqual(['Second thoughts'])
  stage.close()
})

test('an edit of another user of the device is asked about, too', async () => {
  const stage = new EngineFixture()
  const engine = await stage.signedInTab('ann')
  const reconnect = goOffline(stage, engine)
  const seen = { ...record(stage) }
  await edit(stage, engine, { title: 'Ann’s title' })
  await engine.signOut('keep')
  reconnect()
  await stage.signIn(engine, 'bob')
  await engine.enqueue('updateSuccessPlan', { path, body: { title: 'Bob’s title' } }, seen)
  await waitFor(() => expect(record(stage)).toMatchObject({ title: 'Bob’s title' }))
  await waitFor(async () => expect(await engine.outbox.all()).toHaveLength(1))
  await engine.signOut('keep')
  await stage.signIn(engine, 'ann')
  await waitFor(async () =>
    expect(await findConflict(engine)).toMatchObject({ conflict: { fields: ['title'] } }),
  )
  expect(record(stage)).toMatchObject({ title: 'Bob’s title' })
  stage.close()
})

test('asks about a value that only another user of the device has seen', async () => {
  const stage = new EngineFixture()
  const engine = await stage.signedInTab('ann')
  const online = stage.network
  goOffline(stage, engine)
  await edit(stage, engine, { title: 'Ann’s title' })
  await engine.signOut('keep')
  stage.server.editPlan('north', PLAN, { title: 'Mia’s title' }, Date.now())
  stage.network = online
  await stage.signIn(engine, 'bob')
  const reconnect = goOffline(stage, engine)
  await edit(stage, engine, { title: 'Bob’s title' })
  await engine.signOut('keep')
  reconnect()
  await stage.signIn(engine, 'ann')
  await waitFor(async () =>
    expect(await findConflict(engine)).toMatchObject({
      user_id: 'ann',
      conflict: { fields: ['title'], theirs: { title: 'Mia’s title' } },
    }),
  )
  expect(record(stage)).toMatchObject({ title: 'Mia’s title' })
  stage.close()
})

test.for([
  ['lies in the outbox', false],
  ['has left it', true],
] as const)(
  'asks about an old value that another person has set again, where the own edit of it has arrived and %s',
  async ([, isRead]) => {
    const stage = new EngineFixture()
    const engine = await stage.signedInTab('ann')
    const online = stage.network
    // The record is not read again after the edit.
    stage.network = (request, answer) =>
      isRead || !request.url.includes('/changes') ? answer() : offline(request, answer)
    await edit(stage, engine, { title: 'First' })
    await waitFor(() => expect(record(stage)).toMatchObject({ title: 'First' }))
    await waitFor(async () => {
      const left = (await engine.outbox.all()).map(({ state }) => state)
      expect(left).toEqual(isRead ? [] : ['acknowledged'])
    })
    const reconnect = goOffline(stage, engine)
    await edit(stage, engine, { title: 'Second' })
    stage.server.editPlan('north', PLAN, { title: PLAN }, Date.now())
    reconnect()
    stage.network = online
    await waitFor(async () =>
      expect(await findConflict(engine)).toMatchObject({
        conflict: { fields: ['title'], theirs: { title: PLAN } },
      }),
    )
    expect(record(stage)).toMatchObject({ title: PLAN })
    stage.close()
  },
)

/** Ann’s edit of the title has arrived, and lies in the outbox, as the record is not read again. */
async function arrivedEdit(title: string) {
  const stage = new EngineFixture()
  const engine = await stage.signedInTab('ann')
  stage.network = (request, answer) =>
    request.url.includes('/changes') ? offline(request, answer) : answer()
  await edit(stage, engine, { title })
  await waitFor(async () =>
    expect((await engine.outbox.all()).map(({ state }) => state)).toContain('acknowledged'),
  )
  return { stage, engine }
}

test('the answer that keeps an old value, which another person has set again, is not undone by a later edit', async () => {
  const { stage, engine } = await arrivedEdit('First')
  const { network } = stage
  goOffline(stage, engine)
  const seen = { ...record(stage) }
  await edit(stage, engine, { title: 'Second' })
  await engine.enqueue(
    'updateSuccessPlan',
    { path, body: { title: 'Third' } },
    { ...seen, title: 'Second' },
  )
  stage.server.editPlan('north', PLAN, { title: PLAN }, Date.now())
  stage.network = network
  engine.wake()
  await waitFor(async () => expect(await findConflict(engine)).toBeDefined())
  await engine.outbox.conflicts.resolve((await findConflict(engine)) ?? { id: '' }, [])
  engine.wake()
  await waitFor(async () =>
    expect((await engine.outbox.all()).filter(({ state }) => state !== 'acknowledged')).toEqual([]),
  )
  expect(record(stage)).toMatchObject({ title: PLAN })
  stage.close()
})

test('asks about an old value that another person has set again, though a rejected edit was based on it', async () => {
  const stage = new EngineFixture()
  const engine = await stage.signedInTab('ann')
  const invalid = 'invalid'
  await edit(stage, engine, { title: invalid, description: invalid })
  await waitFor(async () =>
    expect((await engine.outbox.all()).map(({ state }) => state)).toEqual(['attention']),
  )
  stage.server.editPlan('north', PLAN, { title: 'First' }, Date.now())
  const reconnect = goOffline(stage, engine)
  await edit(stage, engine, { title: 'Second' })
  stage.server.editPlan('north', PLAN, { title: PLAN }, Date.now())
  reconnect()
  await waitFor(async () =>
    expect(await findConflict(engine)).toMatchObject({ conflict: { fields: ['title'] } }),
  )
  expect(record(stage)).toMatchObject({ title: PLAN })
  stage.close()
})

test('asks nothing about an edit whose old value a later edit has set again, and that was discarded', async () => {
  const stage = new EngineFixture()
  const engine = await stage.signedInTab('ann')
  const reconnect = goOffline(stage, engine)
  const seen = { ...record(stage) }
  await edit(stage, engine, { title: 'First' })
  const back = await engine.enqueue(
    'updateSuccessPlan',
    { path, body: { title: PLAN } },
    { ...seen, title: 'First' },
  )
  await engine.outbox.discard(back.id)
  await engine.outboxChanged()
  // With other versions, the server cannot tell who has set a field.
  stage.server.moveToNewDatabase()
  reconnect()
  await waitFor(async () => expect(await engine.outbox.all()).toEqual([]))
  expect(record(stage)).toMatchObject({ title: 'First' })
  stage.close()
})

test('an edit that waits for an answer, and that the server may have, does not replace a later value', async () => {
  const stage = new EngineFixture()
  const engine = await stage.signedInTab('ann')
  const reconnect = goOffline(stage, engine)
  await edit(stage, engine, { title: 'First' })
  const waiting = await edit(stage, engine, { title: 'Second', description: 'Older' })
  await edit(stage, engine, { description: 'Newer' })
  // As a tab leaves it that is killed while it sends.
  await engine.outbox.claim([waiting.id])
  stage.server.editPlan('north', PLAN, { title: 'Bob’s title' }, Date.now())
  reconnect()
  await waitFor(async () => expect(await findConflict(engine)).toBeDefined())
  await waitFor(() => expect(engine.state.sending.get().size).toBe(0))
  const question = await findConflict(engine)
  await engine.outbox.conflicts.resolve(question ?? { id: '' }, ['title'])
  await engine.outboxChanged()
  await waitFor(async () => expect(await engine.outbox.all()).toEqual([]))
  expect(record(stage)).toMatchObject({ title: 'Second', description: 'Newer' })
  stage.close()
})

test('an open question also asks about what others have set since, before its edit replaces it', async () => {
  const stage = new EngineFixture()
  const engine = await stage.signedInTab('ann')
  const seen = { ...record(stage) }
  const reconnect = goOffline(stage, engine)
  await edit(stage, engine, { title: 'Ann’s title', description: 'Ann’s description' })
  stage.server.editPlan('north', PLAN, { title: 'Bob’s title' }, Date.now())
  reconnect()
  await waitFor(async () =>
    expect(await findConflict(engine)).toMatchObject({ conflict: { fields: ['title'] } }),
  )
  stage.server.editPlan('north', PLAN, { description: 'Bob’s description' }, Date.now())
  const input = { path, body: { success_criteria: 'All are live' } }
  await engine.enqueue('updateSuccessPlan', input, seen)
  await waitFor(() => expect(record(stage)).toMatchObject({ success_criteria: 'All are live' }))
  await waitFor(async () =>
    expect(await findConflict(engine)).toMatchObject({
      conflict: {
        fields: ['title', 'description'],
        changed_by: { title: 'another', description: 'another' },
      },
    }),
  )
  const question = await findConflict(engine)
  await engine.outbox.conflicts.resolve(question ?? { id: '' }, ['title'])
  await engine.outboxChanged()
  await waitFor(async () => expect(await engine.outbox.all()).toEqual([]))
  expect(record(stage)).toMatchObject({
    title: 'Ann’s title',
    description: 'Bob’s description',
  })
  stage.close()
})
