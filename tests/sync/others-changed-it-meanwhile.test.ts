import { expect, test } from 'vitest'
import { random } from '../../src/sync/browser-ports.ts'
import type { Engine } from '../../src/sync/engine.ts'
import { readSent } from '../../src/sync/sent.ts'
import { Stage, until } from './stage.ts'

const PLAN = 'north-1'
const path = { id: PLAN }
const version = (stage: Stage) => record(stage).version
const record = (stage: Stage) =>
  stage.server.tenants.get('north')?.records.success_plans.get(PLAN) ?? { version: 0 }
const writes = (stage: Stage) => stage.requests.filter(({ method }) => method !== 'GET')

/** Edits the plan as somebody who sees it as it is on the server now. */
const edit = (stage: Stage, engine: Engine, body: object) =>
  engine.enqueue('updateSuccessPlan', { path, body }, { ...record(stage) })

/** A network that is away until the returned function is called. */
function away(stage: Stage, engine: Engine): () => void {
  stage.network = () => {
    throw new Error('There is no network.')
  }
  return () => {
    stage.network = (_request, answer) => answer()
    engine.wake()
  }
}

const asked = async (engine: Engine) => {
  const operations = await engine.outbox.all()
  return operations.find(({ conflict }) => conflict !== undefined)
}

test('changes of different fields stand side by side, and nobody is asked', async () => {
  const stage = new Stage()
  const engine = await stage.signedIn('ann')
  const back = away(stage, engine)
  await edit(stage, engine, { title: 'Ann’s title' })
  stage.server.editPlan('north', PLAN, { description: 'Bob’s description' })
  back()
  await until(async () => expect(await engine.outbox.all()).toEqual([]))
  expect(record(stage)).toMatchObject({
    title: 'Ann’s title',
    description: 'Bob’s description',
  })
  expect(await readSent(stage.store, 'ann', Date.now())).toMatchObject([{ merged: true }])
  stage.close()
})

test('the same field changed by both is asked, and the answer decides', async () => {
  for (const [keep, title] of [
    [['title'], 'Ann’s title'],
    [[], 'Bob’s title'],
  ] as const) {
    const stage = new Stage()
    const engine = await stage.signedIn('ann')
    const back = away(stage, engine)
    await edit(stage, engine, { title: 'Ann’s title' })
    stage.server.editPlan('north', PLAN, { title: 'Bob’s title' })
    back()
    await until(async () => expect(await asked(engine)).toBeDefined())
    expect(record(stage)).toMatchObject({ title: 'Bob’s title' })
    const question = await asked(engine)
    expect(question).toMatchObject({
      state: 'attention',
      base: { fields: { title: PLAN } },
      conflict: { fields: ['title'], theirs: { title: 'Bob’s title' } },
    })
    await engine.outbox.conflicts.resolve(question?.id ?? '', keep)
    await engine.outboxChanged()
    await until(async () => expect(await engine.outbox.all()).toEqual([]))
    expect(record(stage)).toMatchObject({ title })
    stage.close()
  }
})

test('both wrote the same, so there is nothing to ask', async () => {
  const stage = new Stage()
  const engine = await stage.signedIn('ann')
  const back = away(stage, engine)
  await edit(stage, engine, { title: 'The better title ' })
  stage.server.editPlan('north', PLAN, { title: 'The better title' })
  back()
  await until(async () => expect(await engine.outbox.all()).toEqual([]))
  stage.close()
})

test('a note is posted while its progress is asked about', async () => {
  const stage = new Stage()
  const engine = await stage.signedIn('ann')
  const back = away(stage, engine)
  const body = { id: random.id(), body: 'Two of three teams are live', progress: 60 }
  await engine.enqueue('postPlanUpdate', { path, body }, { ...record(stage) })
  stage.server.editPlan('north', PLAN, { progress: 75 })
  back()
  await until(() => expect(stage.texts).toEqual(['Two of three teams are live']))
  await until(async () => expect(await asked(engine)).toBeDefined())
  expect(record(stage)).toMatchObject({ progress: 75 })
  const question = await asked(engine)
  expect(question?.input.body).toEqual({ id: expect.any(String) as string, progress: 60 })
  await engine.outbox.conflicts.resolve(question?.id ?? '', ['progress'])
  await engine.outboxChanged()
  await until(() => expect(record(stage)).toMatchObject({ progress: 60 }))
  expect(stage.texts).toHaveLength(2)
  stage.close()
})

test('one’s own edits in a row ask nothing, and take one request each', async () => {
  const stage = new Stage()
  const engine = await stage.signedIn('ann')
  const back = away(stage, engine)
  const seen = { ...record(stage) }
  await engine.enqueue('updateSuccessPlan', { path, body: { title: 'First' } }, seen)
  const body = { id: random.id(), body: 'Going well', progress: 30 }
  await engine.enqueue('postPlanUpdate', { path, body }, { ...seen, title: 'First' })
  await engine.enqueue(
    'updateSuccessPlan',
    { path, body: { title: 'Second' } },
    { ...seen, title: 'First', progress: 30 },
  )
  await until(() => expect(engine.connection.get()).toBe('offline'))
  const before = writes(stage).length
  back()
  await until(async () => expect(await engine.outbox.all()).toEqual([]))
  expect(record(stage)).toMatchObject({ title: 'Second', progress: 30 })
  expect(writes(stage)).toHaveLength(before + 3)
  stage.close()
})

test('a change that another tab made a moment ago is not overwritten unseen', async () => {
  const stage = new Stage()
  const engine = await stage.signedIn('ann')
  const back = away(stage, engine)
  const seen = { ...record(stage) }
  await engine.enqueue('updateSuccessPlan', { path, body: { title: 'In this tab' } }, seen)
  // Said in another tab, which has not heard of the first.
  await engine.enqueue('updateSuccessPlan', { path, body: { title: 'In that tab' } }, seen)
  back()
  await until(async () => expect(await asked(engine)).toBeDefined())
  expect(record(stage)).toMatchObject({ title: 'In this tab' })
  stage.close()
})

test('an edit kept by a build that knew no base goes out as it is', async () => {
  const stage = new Stage()
  const engine = await stage.signedIn('ann')
  const back = away(stage, engine)
  await engine.enqueue('updateSuccessPlan', { path, body: { title: 'Of old' } })
  stage.server.editPlan('north', PLAN, { title: 'Of late' })
  const before = version(stage)
  back()
  await until(() => expect(record(stage)).toMatchObject({ title: 'Of old' }))
  expect(version(stage)).toBe(before + 1)
  stage.close()
})

test('a refusal that shows no newer record needs attention and does not go round', async () => {
  const stage = new Stage()
  const engine = await stage.signedIn('ann')
  stage.network = (request, answer) =>
    request.method === 'PATCH'
      ? {
          status: 412,
          headers: { 'content-type': 'application/json' },
          text: JSON.stringify({ message: 'Changed.', data: record(stage) }),
        }
      : answer()
  await edit(stage, engine, { title: 'Refused' })
  await until(async () => {
    const [kept] = await engine.outbox.all()
    expect(kept).toMatchObject({ state: 'attention', last_error: { status: 412 } })
    expect(kept?.conflict).toBeUndefined()
  })
  expect(writes(stage).filter(({ method }) => method === 'PATCH')).toHaveLength(1)
  stage.close()
})

test('what was discarded on its way and is put back arrives once', async () => {
  const stage = new Stage()
  const engine = await stage.signedIn('ann')
  stage.network = (request, answer) => {
    const answered = answer()
    if (request.method === 'POST' && request.url.includes('updates'))
      throw new Error('The answer was lost.')
    return answered
  }
  const body = { id: random.id(), body: 'Second thoughts' }
  const { id } = await engine.enqueue('postPlanUpdate', { path, body })
  await until(() => expect(stage.texts).toEqual(['Second thoughts']))
  const discarded = await engine.outbox.discard(id)
  expect(await engine.outbox.all()).toEqual([])
  await engine.outbox.restore(discarded)
  stage.network = (_request, answer) => answer()
  await engine.outboxChanged()
  engine.wake()
  await until(async () => expect(await engine.outbox.all()).toEqual([]))
  expect(stage.texts).toEqual(['Second thoughts'])
  stage.close()
})
