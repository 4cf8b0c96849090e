// The effect of an update on its plan: ordering by `written_at`, transitions, and permissions.
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  // Days pass in these tests, so access tokens live long.
  world = await ApiFixture.open({ tokenLifetimes: { accessTokenSeconds: 30 * 86_400 } })
  mia = await world.createOwner('Mia')
})
afterAll(() => world.close())

const post = (plan: string, body: unknown) =>
  mia.post(`/api/v1/success-plans/${plan}/updates`, body)
const edit = (plan: string, body: unknown) =>
  mia.call('PATCH', `/api/v1/success-plans/${plan}`, { body })
const planOf = async (id: string) => (await mia.get(`/api/v1/success-plans/${id}`)).data()
const feedOf = async (id: string) =>
  (await mia.get(`/api/v1/success-plans/${id}/updates`)).data<Record<string, unknown>[]>()
const rejection = (errors: Record<string, string[]>) => ({
  status: 422,
  body: { message: Object.values(errors).flat()[0], errors },
})

test('an older update that syncs late does not override a newer one', async () => {
  const plan = await mia.createPlan({ progress: 10 })
  world.advance({ days: 3 })
  await post(plan, {
    body: 'Tuesday',
    progress: 60,
    health: 'on-track',
    written_at: '2026-03-03T10:00:00Z',
  })
  const late = await post(plan, {
    body: 'Monday',
    progress: 30,
    health: 'off-track',
    written_at: '2026-03-02T10:00:00Z',
  })
  expect(late.status).toBe(201)
  expect(late.data()).toMatchObject({
    progress_from: 60,
    progress_to: 30,
    written_at: '2026-03-02T10:00:00.000Z',
    created_at: world.now.toISOString(),
  })
  expect(await planOf(plan)).toMatchObject({
    progress: 60,
    health: 'on-track',
    last_update_at: '2026-03-03T10:00:00.000Z',
  })
  expect((await feedOf(plan)).map(({ body }) => body)).toEqual(['Tuesday', 'Monday'])
})

test('of updates of one instant the last one received counts, whatever their ids', async () => {
  const instant = { written_at: '2026-03-02T12:00:00Z' }
  for (const ids of [[uuidv7(), uuidv7()], [uuidv7(), uuidv7()].toReversed()]) {
    const plan = await mia.createPlan({ progress: 10 })
    await post(plan, { id: ids[0], ...instant, body: 'Kick-off', progress: 20, health: 'at-risk' })
    await post(plan, { id: ids[1], ...instant, body: 'Go-live', progress: 80, health: 'on-track' })
    expect(await planOf(plan)).toMatchObject({ progress: 80, health: 'on-track' })
  }
})

test('an update that syncs late leaves the progress that followed the actions', async () => {
  const plan = await mia.createPlan()
  await post(plan, { progress: 20, written_at: '2026-03-03T10:00:00Z' })
  await mia.post('/api/v1/actions', { title: 'Kick-off', success_plan_id: plan, status: 'done' })
  await edit(plan, { progress_mode: 'auto' })
  await edit(plan, { progress_mode: 'manual' })
  await post(plan, { progress: 10, written_at: '2026-03-02T10:00:00Z' })
  expect(await planOf(plan)).toMatchObject({ progress: 100 })
})

test('a date in the future is clamped', async () => {
  const plan = await mia.createPlan()
  const ahead = await post(plan, {
    body: 'From the future',
    progress: 90,
    written_at: '2031-01-01T00:00:00Z',
  })
  expect(ahead.data()).toMatchObject({ written_at: world.now.toISOString() })
  world.advance({ minutes: 1 })
  await post(plan, { body: 'A minute later', progress: 40 })
  expect(await planOf(plan)).toMatchObject({ progress: 40 })
})

test.each([
  '2026-02-30T10:00:00Z',
  '2026-04-31T10:00:00.000+02:00',
  '0000-06-01T10:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-01:00',
])('the instant %s is rejected at its field', async (written_at) => {
  const plan = await mia.createPlan()
  const answer = await post(plan, { body: 'Written then', written_at })
  expect(answer.statusAndBody).toEqual(
    rejection({ written_at: ['Enter an instant as ISO 8601 in UTC.'] }),
  )
})

test.each(['2024-02-29T23:30:00-05:00', '0001-01-01T00:00:00Z'])(
  'the instant %s is stored',
  async (written_at) => {
    const plan = await mia.createPlan()
    const answer = await post(plan, { body: 'Written then', written_at })
    expect(answer.data()).toMatchObject({ written_at: new Date(written_at).toISOString() })
  },
)

test('an update without progress and health changes neither', async () => {
  const plan = await mia.createPlan({ progress: 25, health: 'at-risk' })
  const posted = await post(plan, { body: 'Only words' })
  expect(posted.data()).toMatchObject({ progress_to: null, health: null, status_to: null })
  expect(await planOf(plan)).toMatchObject({ progress: 25, health: 'at-risk' })
})

const MOVES: Record<string, string[]> = {
  planned: ['in-progress', 'cancelled'],
  'in-progress': ['paused', 'completed', 'cancelled'],
  paused: ['in-progress', 'completed', 'cancelled'],
  completed: ['in-progress'],
  cancelled: ['planned'],
}
const STATUSES = Object.keys(MOVES)
/** The transitions that lead a plan to a status. */
const WAY: Record<string, string[]> = {
  planned: [],
  'in-progress': ['in-progress'],
  paused: ['in-progress', 'paused'],
  completed: ['in-progress', 'completed'],
  cancelled: ['cancelled'],
}
test.each(STATUSES)('from %s a plan allows only its transitions', async (from) => {
  for (const to of STATUSES.filter((status) => status !== from)) {
    const plan = await mia.createPlan()
    for (const status of [...(WAY[from] ?? []), to]) {
      const answer = await post(plan, { body: 'Because', status, outcome: 'achieved' })
      const isAllowed = status !== to || MOVES[from]?.includes(to)
      expect(`${from} to ${to}: ${answer.status}`).toBe(
        `${from} to ${to}: ${isAllowed ? 201 : 422}`,
      )
      if (!isAllowed)
        expect(answer.statusAndBody).toEqual(
          rejection({ status: [`A plan that is ${from} cannot become ${to}.`] }),
        )
    }
  }
})

test('pausing or cancelling requires a note, completing an outcome', async () => {
  const plan = await mia.createPlan({ status: 'in-progress' })
  const why = rejection({ body: ['Add a note on why the work stops.'] })
  expect((await post(plan, { status: 'paused' })).statusAndBody).toEqual(why)
  expect((await edit(plan, { status: 'cancelled' })).statusAndBody).toEqual(
    rejection({ note: ['Add a note on why the work stops.'] }),
  )
  const how = rejection({ outcome: ['Choose how the plan ended.'] })
  expect((await post(plan, { status: 'completed' })).statusAndBody).toEqual(how)
  expect((await edit(plan, { status: 'completed' })).statusAndBody).toEqual(how)
  expect(await feedOf(plan)).toEqual([])
  expect(await planOf(plan)).toMatchObject({ status: 'in-progress' })
})

test.each([
  ['achieved', 100],
  ['partially-achieved', 70],
  ['missed', 70],
])('a plan completed as %s has progress %i', async (outcome, progress) => {
  const plan = await mia.createPlan({ status: 'in-progress', progress: 70 })
  await edit(plan, { status: 'completed', outcome, note: 'Closing words' })
  expect(await planOf(plan)).toMatchObject({
    status: 'completed',
    outcome,
    progress,
    close_note: 'Closing words',
  })
  expect((await feedOf(plan))[0]).toMatchObject({
    body: 'Closing words',
    status_from: 'in-progress',
    status_to: 'completed',
    progress_to: progress,
  })
  await edit(plan, { status: 'in-progress' })
  expect(await planOf(plan)).toMatchObject({ outcome: null, close_note: null })
})

test('progress, health and status set by an edit appear in the timeline', async () => {
  const plan = await mia.createPlan({ progress: 10 })
  await edit(plan, { title: 'Renamed' })
  expect(await feedOf(plan)).toEqual([])
  await edit(plan, { progress: 20, health: 'at-risk', status: 'in-progress' })
  expect(await feedOf(plan)).toMatchObject([
    { progress_from: 10, progress_to: 20, health: 'at-risk', status_to: 'in-progress', body: '' },
  ])
  expect(await planOf(plan)).toMatchObject({ progress: 20, health: 'at-risk', title: 'Renamed' })
  await edit(plan, { progress: 20, health: 'at-risk', status: 'in-progress' })
  expect(await feedOf(plan)).toHaveLength(1)
})

test('the note of an edit is posted, whatever else the edit changes', async () => {
  const plan = await mia.createPlan({ status: 'in-progress' })
  await edit(plan, { note: 'Alone' })
  await edit(plan, { title: 'Renamed', note: 'With a title' })
  await edit(plan, { status: 'in-progress', note: 'With the present status' })
  await edit(plan, { note: ' ' })
  const notes = new Set((await feedOf(plan)).map(({ body }) => body))
  expect(notes).toEqual(new Set(['Alone', 'With a title', 'With the present status']))
})

test('the closing note of an edit that closes a plan is kept, with a note and without', async () => {
  const done = { status: 'completed', outcome: 'missed' }
  const stopped = { status: 'cancelled' }
  for (const [change, body, close_note] of [
    [{ ...done, close_note: 'Closing words' }, 'Closing words', 'Closing words'],
    [{ ...stopped, close_note: 'No budget' }, 'No budget', 'No budget'],
    [
      { ...done, close_note: 'For the record', note: 'For the feed' },
      'For the feed',
      'For the record',
    ],
    [{ ...done, close_note: null, note: 'Both' }, 'Both', 'Both'],
  ] as const) {
    const plan = await mia.createPlan({ status: 'in-progress' })
    expect((await edit(plan, change)).data()).toMatchObject({ status: change.status, close_note })
    expect(await feedOf(plan)).toMatchObject([{ body, status_to: change.status }])
  }
  const plan = await mia.createPlan({ status: 'in-progress' })
  expect((await edit(plan, { status: 'paused', close_note: 'Not closed' })).statusAndBody).toEqual(
    rejection({ note: ['Add a note on why the work stops.'] }),
  )
})

test('an edit without If-Match touches only the fields that it names', async () => {
  const plan = await mia.createPlan({ description: 'Kept', end_date: '2026-06-30' })
  await edit(plan, { success_criteria: 'Added' })
  expect(await planOf(plan)).toMatchObject({
    description: 'Kept',
    end_date: '2026-06-30',
    success_criteria: 'Added',
  })
  await edit(plan, { end_date: null })
  expect(await planOf(plan)).toMatchObject({ description: 'Kept', end_date: null })
})

test('an edit that contradicts the stored record is rejected at its field', async () => {
  const plan = await mia.createPlan({ start_date: '2026-04-01', end_date: '2026-06-30' })
  expect((await edit(plan, { end_date: '2026-03-31' })).statusAndBody).toEqual(
    rejection({ end_date: ['The end date must not be before the start date.'] }),
  )
  expect((await edit(plan, { type: 'customer' })).statusAndBody).toEqual(
    rejection({ account_id: ['Choose the account that this plan is for.'] }),
  )
})

test('the progress of an auto plan cannot be set', async () => {
  const plan = await mia.createPlan({ progress_mode: 'auto' })
  expect((await post(plan, { body: 'Half', progress: 50 })).statusAndBody).toEqual(
    rejection({ progress: ['The progress of this plan follows its actions.'] }),
  )
})

test('the present status is accepted and is no transition', async () => {
  const plan = await mia.createPlan({ status: 'in-progress' })
  const posted = await post(plan, { body: 'Still at it', status: 'in-progress' })
  expect(posted.status).toBe(201)
  expect(posted.data()).toMatchObject({ status_from: null, status_to: null })
})

test('an update that only repeats the status is rejected, and the repetition of a stored one is not', async () => {
  const plan = await mia.createPlan()
  const started = { id: uuidv7(), status: 'in-progress' }
  const key = { 'Idempotency-Key': uuidv7() }
  const start = async (headers = {}) =>
    await mia.call('POST', `/api/v1/success-plans/${plan}/updates`, { body: started, headers })
  const first = await start(key)
  expect(first.status).toBe(201)
  expect((await start(key)).statusAndBody).toEqual(first.statusAndBody)
  // Its key is forgotten.
  expect((await start()).status).toBe(200)
  const nothing = rejection({
    body: ['Write what happened, or change the progress, status or health.'],
  })
  const same = { status: 'in-progress' }
  expect((await post(plan, same)).statusAndBody).toEqual(nothing)
  expect((await post(plan, { ...same, body: ' ', outcome: 'missed' })).statusAndBody).toEqual(
    nothing,
  )
  for (const more of [{ body: 'Still' }, { progress: 0 }, { health: 'on-track' }])
    expect((await post(plan, { ...same, ...more })).status).toBe(201)
  const closed = { status: 'completed', outcome: 'missed' }
  await post(plan, closed)
  expect((await post(plan, closed)).statusAndBody).toEqual(nothing)
  expect((await post(plan, { ...closed, outcome: 'achieved' })).status).toBe(201)
  expect(await feedOf(plan)).toHaveLength(6)
})

test('an outcome without a status corrects that of a completed plan, and its text the closing note', async () => {
  const plan = await mia.createPlan({ status: 'in-progress', progress: 70 })
  await post(plan, { status: 'completed', outcome: 'missed', body: 'Closing words' })
  const corrected = await post(plan, { outcome: 'achieved' })
  expect(corrected.data()).toMatchObject({ progress_from: 70, progress_to: 100, status_to: null })
  expect(await planOf(plan)).toMatchObject({
    outcome: 'achieved',
    progress: 100,
    close_note: 'Closing words',
  })
  await post(plan, { outcome: 'partially-achieved', body: 'Not quite' })
  const known = { outcome: 'partially-achieved', progress: 100, close_note: 'Not quite' }
  expect(await planOf(plan)).toMatchObject(known)
  await post(plan, { outcome: 'partially-achieved', body: 'As I said' })
  expect((await post(plan, { outcome: 'partially-achieved' })).status).toBe(422)
  expect(await planOf(plan)).toMatchObject(known)
})

test('a repeated completion, as devices send that did not compare outcomes, replaces none', async () => {
  const plan = await mia.createPlan({ status: 'in-progress', progress: 70 })
  await post(plan, { status: 'completed', outcome: 'missed', body: 'Closing words' })
  const repeated = { status: 'completed', outcome: 'achieved', body: 'Done' }
  expect((await post(plan, repeated)).data()).toMatchObject({ body: 'Done', progress_to: null })
  const kept = { outcome: 'missed', progress: 70, close_note: 'Closing words' }
  expect(await planOf(plan)).toMatchObject(kept)
})

test('an outcome of an open plan is none yet', async () => {
  const plan = await mia.createPlan({ status: 'in-progress' })
  await post(plan, { outcome: 'missed', body: 'It looks bad' })
  expect((await post(plan, { outcome: 'missed' })).status).toBe(422)
  expect(await planOf(plan)).toMatchObject({ status: 'in-progress', outcome: null })
})

test('an empty update is rejected', async () => {
  const plan = await mia.createPlan()
  const nothing = rejection({
    body: ['Write what happened, or change the progress, status or health.'],
  })
  expect((await post(plan, {})).statusAndBody).toEqual(nothing)
  expect((await post(plan, { body: '   ' })).statusAndBody).toEqual(nothing)
})

test('an update to a deleted plan is answered with 404', async () => {
  const plan = await mia.createPlan()
  await mia.call('DELETE', `/api/v1/success-plans/${plan}`)
  const answer = await post(plan, { id: uuidv7(), body: 'Too late' })
  expect(answer.statusAndBody).toEqual({ status: 404, body: { message: 'Not Found' } })
})

test('ten simultaneous updates are all stored, each with its own version', async () => {
  const plan = await mia.createPlan()
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => post(plan, { body: `At once ${index}` })),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201))
  expect(new Set(answers.map((answer) => answer.data().version)).size).toBe(10)
  expect(await feedOf(plan)).toHaveLength(10)
})
