// What this device has sent or shown is taken for someone else's change: a question without a cause, the
// same question twice, or an answer that leaves the edits behind it in conflict.
import { afterEach, expect, test, vi } from 'vitest'
import { random } from '../../../src/sync/browser/web-ports.ts'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { readSent } from '../../../src/sync/core/sent-log.ts'
import { EngineFixture, moveClock, waitFor } from '../engine-fixture.ts'
import { partsOf } from '../simulation/model/batch.ts'

afterEach(() => void vi.restoreAllMocks())

const PLAN = 'north-1'
const path = { id: PLAN }

/** Ann’s tab without a network. */
async function offline() {
  const stage = new EngineFixture()
  const engine = await stage.signedInTab('ann')
  const block = () => {
    stage.network = () => {
      throw new Error('There is no network.')
    }
  }
  block()
  const reconnect = () => {
    stage.network = (_request, answer) => answer()
    engine.wake()
  }
  const seen = { ...planOf(stage) }
  return { stage, engine, block, reconnect, seen }
}

const tenantOf = (stage: EngineFixture) => stage.server.tenants.get('north')
const planOf = (stage: EngineFixture): Record<string, unknown> =>
  tenantOf(stage)?.records.success_plans.get(PLAN) ?? {}
const edit = (engine: Engine, body: object, seen: object) =>
  engine.enqueue('updateSuccessPlan', { path, body }, { ...seen })
const post = (engine: Engine, body: object, seen: object) =>
  engine.enqueue('postPlanUpdate', { path, body: { id: random.id(), ...body } }, { ...seen })
const questions = async (engine: Engine) =>
  (await engine.outbox.all()).filter(({ conflict }) => conflict !== undefined)
const isEmpty = (engine: Engine) =>
  waitFor(async () => expect(await engine.outbox.all()).toEqual([]))
const patches = (stage: EngineFixture) =>
  stage.requests.flatMap(partsOf).filter(({ method }) => method === 'PATCH').length
const logOf = (stage: EngineFixture) => readSent(stage.store, 'ann', Date.now())
const givenUp = async (stage: EngineFixture) =>
  (await logOf(stage)).filter(({ given_up }) => given_up)
const bobEdits = (stage: EngineFixture, fields: object) =>
  stage.server.editPlan('north', PLAN, { ...fields }, Date.now())

async function answer(engine: Engine, keep: readonly string[]): Promise<void> {
  const [question] = await questions(engine)
  await engine.outbox.conflicts.resolve(question ?? { id: '' }, keep)
  await engine.outboxChanged()
}

test('asks nothing about own edits whose forms showed an outdated value, and sends each once', async () => {
  const { stage, engine, reconnect, seen } = await offline()
  // The form showed: the edit before it, the record without any, an empty field, an older edit.
  const shown = ['text 0', PLAN, '', 'text 1', 'text 4', 'text 2']
  for (const [index, title] of shown.entries())
    await edit(engine, { title: `text ${index + 1}` }, { ...seen, title })
  await waitFor(() => expect(engine.state.connection.get()).toBe('offline'))
  const failed = patches(stage)
  reconnect()
  await isEmpty(engine)
  expect(planOf(stage)).toMatchObject({ title: 'text 6' })
  expect(patches(stage)).toBe(failed + shown.length)
  expect((await logOf(stage)).map(({ merged }) => merged)).toEqual(shown.map(() => false))
  stage.close()
})

test('asks nothing about an own edit that was sent and read back before the next one arrives', async () => {
  const { stage, engine, block, reconnect, seen } = await offline()
  await edit(engine, { title: 'First' }, seen)
  reconnect()
  await isEmpty(engine)
  block()
  // A restored draft that was begun before the first edit.
  await edit(engine, { title: 'Second' }, seen)
  reconnect()
  await isEmpty(engine)
  expect(planOf(stage)).toMatchObject({ title: 'Second' })
  expect(await logOf(stage)).toMatchObject([{ merged: false }, { merged: false }])
  stage.close()
})

test('asks nothing about a value that another tab of this device has set', async () => {
  const { stage, engine, reconnect, seen } = await offline()
  await edit(engine, { title: 'In this tab' }, seen)
  await edit(engine, { title: 'In that tab' }, seen)
  reconnect()
  await isEmpty(engine)
  expect(planOf(stage)).toMatchObject({ title: 'In that tab' })
  stage.close()
})

test('recognises own values on a server that does not say who changed a field', async () => {
  const { stage, engine, reconnect, seen } = await offline()
  await edit(engine, { title: 'First' }, seen)
  await edit(engine, { title: 'Second' }, { ...seen, version: Number(seen.version) - 1 })
  reconnect()
  stage.network = (_request, respond) => {
    const { text, ...response } = respond()
    const { changed_by: _changedBy, ...body } = JSON.parse(text || '{}') as Record<string, unknown>
    return { ...response, text: text && JSON.stringify(body) }
  }
  await isEmpty(engine)
  expect(planOf(stage)).toMatchObject({ title: 'Second' })
  expect(await logOf(stage)).toMatchObject([{ merged: false }, { merged: false }])
  stage.close()
})

test('asks about a value that someone else has set, even if it was an own one before', async () => {
  const { stage, engine, block, reconnect, seen } = await offline()
  await edit(engine, { title: 'First' }, seen)
  await edit(engine, { title: 'Second' }, { ...seen, title: 'First' })
  reconnect()
  await isEmpty(engine)
  block()
  await edit(engine, { title: 'Third' }, planOf(stage))
  bobEdits(stage, { title: 'First' })
  reconnect()
  await waitFor(async () => expect(await questions(engine)).toHaveLength(1))
  stage.close()
})

test('one change by someone else is one question, however many own edits wait behind it', async () => {
  for (const [keep, progress] of [
    [['progress'], 60],
    [[], 75],
  ] as const) {
    const { stage, engine, reconnect, seen } = await offline()
    await post(engine, { body: 'First', progress: 30 }, seen)
    await post(engine, { body: 'Second', progress: 60 }, { ...seen, progress: 30 })
    await edit(engine, { description: 'Not asked about' }, { ...seen, progress: 60 })
    bobEdits(stage, { progress: 75 })
    reconnect()
    // The notes and the other field do not wait for the answer.
    await waitFor(() => expect(planOf(stage)).toMatchObject({ description: 'Not asked about' }))
    await waitFor(async () => expect(await engine.outbox.all()).toHaveLength(2))
    expect(stage.storedTexts).toEqual(['First', 'Second', 'Not asked about'])
    expect(await questions(engine)).toMatchObject([
      { input: { body: { progress: 30 } }, conflict: { theirs: { progress: 75 } } },
    ])
    await answer(engine, keep)
    await isEmpty(engine)
    expect(planOf(stage)).toMatchObject({ progress })
    expect((await givenUp(stage)).map(({ input }) => input.body)).toMatchObject(
      keep.length > 0 ? [] : [{ progress: 30 }, { progress: 60 }],
    )
    stage.close()
  }
})

test('an answer rebases the edits of the same field that wait behind it', async () => {
  for (const [keep, title] of [
    [['title'], 'Third'],
    [[], 'Bob’s title'],
  ] as const) {
    const { stage, engine, reconnect, seen } = await offline()
    await edit(engine, { title: 'First' }, seen)
    await edit(engine, { title: 'Second', health: 'at-risk' }, { ...seen, title: 'First' })
    await edit(engine, { title: 'Third' }, { ...seen, title: 'Second' })
    bobEdits(stage, { title: 'Bob’s title' })
    reconnect()
    await waitFor(async () => expect(await questions(engine)).toHaveLength(1))
    await waitFor(() => expect(engine.state.sending.get().size).toBe(0))
    expect(await engine.outbox.all()).toHaveLength(3)
    const before = patches(stage)
    await answer(engine, keep)
    await isEmpty(engine)
    expect(planOf(stage)).toMatchObject({ title, health: 'at-risk' })
    expect(patches(stage) - before).toBe(keep.length > 0 ? 3 : 1)
    stage.close()
  }
})

test('an edit that was written over their value is not given up with the earlier ones', async () => {
  const { stage, engine, block, reconnect, seen } = await offline()
  await edit(engine, { title: 'Before it was seen' }, seen)
  bobEdits(stage, { title: 'Bob’s title' })
  reconnect()
  await waitFor(async () => expect(await questions(engine)).toHaveLength(1))
  block()
  await edit(engine, { title: 'After it was seen' }, planOf(stage))
  await answer(engine, [])
  reconnect()
  await isEmpty(engine)
  expect(planOf(stage)).toMatchObject({ title: 'After it was seen' })
  stage.close()
})

test('a later own value that the server accepted answers the open question', async () => {
  const { stage, engine, reconnect, seen } = await offline()
  await post(engine, { body: 'First', progress: 30 }, seen)
  bobEdits(stage, { progress: 75 })
  reconnect()
  await waitFor(async () => expect(await questions(engine)).toHaveLength(1))
  await post(engine, { body: 'Seen it', progress: 80 }, planOf(stage))
  await isEmpty(engine)
  expect(planOf(stage)).toMatchObject({ progress: 80 })
  expect(await givenUp(stage)).toMatchObject([{ input: { body: { progress: 30 } } }])
  stage.close()
})

test('what was given up can be read for 30 days, longer than what was sent', async () => {
  const { stage, engine, reconnect, seen } = await offline()
  await edit(engine, { title: 'First' }, seen)
  bobEdits(stage, { title: 'Bob’s title' })
  reconnect()
  await waitFor(async () => expect(await questions(engine)).toHaveLength(1))
  await answer(engine, [])
  const after = (days: number) => readSent(stage.store, 'ann', Date.now() + days * 86_400_000)
  expect(await after(29)).toMatchObject([{ given_up: true, input: { body: { title: 'First' } } }])
  expect(await after(31)).toEqual([])
  stage.close()
})

test('a version that only side effects have moved is no change by others', async () => {
  const { stage, engine, reconnect, seen } = await offline()
  await edit(engine, { description: 'Mine' }, seen)
  const tenant = tenantOf(stage)
  const plan = tenant?.records.success_plans.get(PLAN)
  if (plan) tenant?.put('success_plans', plan)
  await waitFor(() => expect(engine.state.connection.get()).toBe('offline'))
  const failed = patches(stage)
  reconnect()
  await isEmpty(engine)
  expect(patches(stage)).toBe(failed + 1)
  expect(await logOf(stage)).toMatchObject([{ merged: false }])
  stage.close()
})

test('recognises own values after a sign-out, which deletes the log of sent operations', async () => {
  const { stage, engine, block, reconnect, seen } = await offline()
  await edit(engine, { title: 'First' }, seen)
  reconnect()
  await isEmpty(engine)
  block()
  await edit(engine, { title: 'Second' }, seen)
  await engine.signOut('keep')
  stage.network = (_request, answer) => answer()
  await stage.signIn(engine, 'ann')
  await isEmpty(engine)
  expect(planOf(stage)).toMatchObject({ title: 'Second' })
  stage.close()
})

test('an answer does not replace a later own value of another field', async () => {
  const { stage, engine, reconnect, seen } = await offline()
  await edit(engine, { title: 'Earlier', description: 'Mine' }, seen)
  bobEdits(stage, { description: 'Bob’s' })
  reconnect()
  await waitFor(async () => expect(await questions(engine)).toHaveLength(1))
  await edit(engine, { title: 'Later' }, planOf(stage))
  await waitFor(() => expect(planOf(stage)).toMatchObject({ title: 'Later' }))
  await waitFor(async () => expect(await engine.outbox.all()).toHaveLength(1))
  await answer(engine, ['description'])
  await isEmpty(engine)
  expect(planOf(stage)).toMatchObject({ title: 'Later', description: 'Mine' })
  stage.close()
})

test('asks about a value that this device showed beneath an edit discarded weeks ago', async () => {
  const { stage, engine, reconnect, seen } = await offline()
  const { id } = await edit(engine, { title: 'Mine' }, { ...seen, title: 'Long ago' })
  await engine.outbox.discard(id)
  moveClock(15 * 86_400_000)
  await edit(engine, { title: 'Mine' }, seen)
  bobEdits(stage, { title: 'Long ago' })
  reconnect()
  await waitFor(async () => expect(await questions(engine)).toHaveLength(1))
  stage.close()
})

test('asks nothing about an edit that was made over an edit discarded since', async () => {
  const { stage, engine, reconnect, seen } = await offline()
  const first = await edit(engine, { title: 'First' }, seen)
  const second = await edit(engine, { title: 'Second' }, { ...seen, title: 'First' })
  await edit(engine, { title: 'Third' }, { ...seen, title: 'Second' })
  await engine.outbox.discard(second.id)
  await engine.outbox.discard(first.id)
  await engine.outboxChanged()
  // With other versions, the server cannot tell who has set a field.
  stage.server.moveToNewDatabase()
  reconnect()
  await isEmpty(engine)
  expect(planOf(stage)).toMatchObject({ title: 'Third' })
  stage.close()
})

test('asks nothing about an edit whose form showed an edit that was discarded before it was saved', async () => {
  const { stage, engine, reconnect, seen } = await offline()
  await waitFor(() => expect(engine.state.connection.get()).toBe('offline'))
  const { id } = await edit(engine, { title: 'First' }, seen)
  await engine.outbox.discard(id)
  await edit(engine, { title: 'Second' }, { ...seen, title: 'First' })
  // With other versions, the server cannot tell who has set a field.
  stage.server.moveToNewDatabase()
  reconnect()
  await isEmpty(engine)
  expect(planOf(stage)).toMatchObject({ title: 'Second' })
  // What never left the device was not given up in a conflict.
  expect(await givenUp(stage)).toEqual([])
  stage.close()
})

test('asks nothing about a field that the own create left out, whose edit was discarded', async () => {
  const { stage, engine, reconnect } = await offline()
  const plan = { id: random.id(), title: 'New', account_id: 'north-a', end_date: '2031-03-03' }
  await engine.enqueue('createSuccessPlan', { body: plan })
  const body = { description: 'First' }
  const { id } = await engine.enqueue(
    'updateSuccessPlan',
    { path: { id: plan.id }, body },
    { ...plan, description: null, version: 0 },
  )
  await engine.outbox.discard(id)
  reconnect()
  await isEmpty(engine)
  // Its form was opened before the plan was on the server.
  await engine.enqueue(
    'updateSuccessPlan',
    { path: { id: plan.id }, body: { description: 'Second' } },
    { ...plan, description: 'First', version: 0 },
  )
  await isEmpty(engine)
  expect(tenantOf(stage)?.records.success_plans.get(plan.id)).toMatchObject({
    description: 'Second',
  })
  stage.close()
})

test('asks nothing about the progress with which an own completion ended the plan', async () => {
  const { stage, engine, reconnect, seen } = await offline()
  await post(engine, { body: 'Done.', status: 'completed', outcome: 'achieved' }, seen)
  reconnect()
  await isEmpty(engine)
  expect(planOf(stage)).toMatchObject({ status: 'completed', progress: 100 })
  // Its form was opened before the completion.
  await post(engine, { body: 'Most of it.', progress: 60 }, seen)
  await isEmpty(engine)
  expect(planOf(stage)).toMatchObject({ progress: 60 })
  stage.close()
})

test('a status that others have set meanwhile leaves nothing to send, and a note with it is sent', async () => {
  const done = { status: 'completed', outcome: 'missed' }
  for (const words of ['', 'We stop here.']) {
    const { stage, engine, reconnect, seen } = await offline()
    // The edit before it brings the new version of the plan.
    await edit(engine, { title: 'Renamed' }, seen)
    await post(engine, { body: words, ...done }, seen)
    bobEdits(stage, { ...done, note: 'No budget' })
    reconnect()
    await isEmpty(engine)
    expect(planOf(stage)).toMatchObject({ title: 'Renamed', ...done })
    const bodies = [...(tenantOf(stage)?.records.success_plan_updates.values() ?? [])].map(
      ({ body }) => body,
    )
    expect(bodies).toEqual(['No budget', ...(words ? [words] : [])])
    expect(new Set((await logOf(stage)).map(({ endpoint }) => endpoint))).toEqual(
      new Set(['postPlanUpdate', 'updateSuccessPlan']),
    )
    stage.close()
  }
})

test('asks nothing about the outcome and the note of an own completion before a plan is deleted', async () => {
  const { stage, engine, block, reconnect, seen } = await offline()
  await post(engine, { body: 'It failed.', status: 'completed', outcome: 'missed' }, seen)
  reconnect()
  await isEmpty(engine)
  expect(planOf(stage)).toMatchObject({ outcome: 'missed', close_note: 'It failed.' })
  block()
  // Its menu was opened before the completion.
  await engine.enqueue('deleteSuccessPlan', { path }, { ...seen })
  // With other versions, the server cannot tell who has set a field.
  stage.server.moveToNewDatabase()
  reconnect()
  await isEmpty(engine)
  expect(planOf(stage)).toEqual({})
  stage.close()
})
