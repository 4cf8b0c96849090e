// What an update does to its plan: order by when it was written, transitions, and who may ask for what.
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { World, type Person } from './world.ts'

let world: World
let mia: Person
beforeAll(async () => {
  // Days go by in these tests, and nobody wants to sign in again.
  world = await World.open({ tokenLifetimes: { accessTokenSeconds: 30 * 86_400 } })
  mia = await world.owner('Mia')
})
afterAll(() => world.close())

const post = (plan: string, body: unknown) =>
  mia.post(`/api/v1/success-plans/${plan}/updates`, body)
const edit = (plan: string, body: unknown) =>
  mia.call('PATCH', `/api/v1/success-plans/${plan}`, { body })
const planOf = async (id: string) => (await mia.get(`/api/v1/success-plans/${id}`)).data()
const feedOf = async (id: string) =>
  (await mia.get(`/api/v1/success-plans/${id}/updates`)).data<Record<string, unknown>[]>()
const refusal = (errors: Record<string, string[]>) => ({
  status: 422,
  body: { message: Object.values(errors).flat()[0], errors },
})

test('an update written on Monday and synced on Wednesday does not undo Tuesday’s', async () => {
  const plan = await mia.plan({ progress: 10 })
  world.pass({ days: 3 })
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

test('a clock that runs ahead does not win for ever', async () => {
  const plan = await mia.plan()
  const ahead = await post(plan, {
    body: 'From the future',
    progress: 90,
    written_at: '2031-01-01T00:00:00Z',
  })
  expect(ahead.data()).toMatchObject({ written_at: world.now.toISOString() })
  world.pass({ minutes: 1 })
  await post(plan, { body: 'A minute later', progress: 40 })
  expect(await planOf(plan)).toMatchObject({ progress: 40 })
})

test('a note alone changes neither progress nor health', async () => {
  const plan = await mia.plan({ progress: 25, health: 'at-risk' })
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
/** How a plan gets to a status. */
const WAY: Record<string, string[]> = {
  planned: [],
  'in-progress': ['in-progress'],
  paused: ['in-progress', 'paused'],
  completed: ['in-progress', 'completed'],
  cancelled: ['cancelled'],
}
test.each(STATUSES)('from %s a plan goes where it may, and nowhere else', async (from) => {
  for (const to of STATUSES.filter((status) => status !== from)) {
    const plan = await mia.plan()
    for (const status of [...(WAY[from] ?? []), to]) {
      const answer = await post(plan, { body: 'Because', status, outcome: 'achieved' })
      const isAllowed = status !== to || MOVES[from]?.includes(to)
      expect(`${from} to ${to}: ${answer.status}`).toBe(
        `${from} to ${to}: ${isAllowed ? 201 : 422}`,
      )
      if (!isAllowed)
        expect(answer.all).toEqual(
          refusal({ status: [`A plan that is ${from} cannot become ${to}.`] }),
        )
    }
  }
})

test('work does not stop without a word, nor end without an outcome', async () => {
  const plan = await mia.plan({ status: 'in-progress' })
  const why = refusal({ body: ['Write why the work stops.'] })
  expect((await post(plan, { status: 'paused' })).all).toEqual(why)
  expect((await edit(plan, { status: 'cancelled' })).all).toEqual(why)
  const how = refusal({ outcome: ['Say how the plan ended.'] })
  expect((await post(plan, { status: 'completed' })).all).toEqual(how)
  expect((await edit(plan, { status: 'completed' })).all).toEqual(how)
  expect(await feedOf(plan)).toEqual([])
  expect(await planOf(plan)).toMatchObject({ status: 'in-progress' })
})

test.each([
  ['achieved', 100],
  ['partially-achieved', 70],
  ['missed', 70],
])('a plan completed as %s stands at %i', async (outcome, progress) => {
  const plan = await mia.plan({ status: 'in-progress', progress: 70 })
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

test('progress, health and status set by an edit stand in the timeline', async () => {
  const plan = await mia.plan({ progress: 10 })
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

test('an edit without If-Match touches only the fields that it names', async () => {
  const plan = await mia.plan({ description: 'Kept', end_date: '2026-06-30' })
  await edit(plan, { success_criteria: 'Added' })
  expect(await planOf(plan)).toMatchObject({
    description: 'Kept',
    end_date: '2026-06-30',
    success_criteria: 'Added',
  })
  await edit(plan, { end_date: null })
  expect(await planOf(plan)).toMatchObject({ description: 'Kept', end_date: null })
})

test('an edit that contradicts what is stored is refused at its field', async () => {
  const plan = await mia.plan({ start_date: '2026-04-01', end_date: '2026-06-30' })
  expect((await edit(plan, { end_date: '2026-03-31' })).all).toEqual(
    refusal({ end_date: ['The end date must not be before the start date.'] }),
  )
  expect((await edit(plan, { type: 'customer' })).all).toEqual(
    refusal({ account_id: ['Choose the account that this plan is for.'] }),
  )
})

test('the progress of a plan that follows its actions is not set by hand', async () => {
  const plan = await mia.plan({ progress_mode: 'auto' })
  expect((await post(plan, { body: 'Half', progress: 50 })).all).toEqual(
    refusal({ progress: ['The progress of this plan follows its actions.'] }),
  )
})

test('the status that a plan has already is no transition, and no error', async () => {
  const plan = await mia.plan({ status: 'in-progress' })
  const posted = await post(plan, { body: 'Still at it', status: 'in-progress' })
  expect(posted.status).toBe(201)
  expect(posted.data()).toMatchObject({ status_from: null, status_to: null })
  await edit(plan, { status: 'paused', note: 'Why' })
  expect((await post(plan, { status: 'paused' })).status).toBe(201)
})

test('an update that says and changes nothing is refused', async () => {
  const plan = await mia.plan()
  const nothing = refusal({
    body: ['Write what happened, or change the progress, status or health.'],
  })
  expect((await post(plan, {})).all).toEqual(nothing)
  expect((await post(plan, { body: '   ' })).all).toEqual(nothing)
})

test('an update to a plan that was deleted is a 404, whoever’s id it has', async () => {
  const plan = await mia.plan()
  await mia.call('DELETE', `/api/v1/success-plans/${plan}`)
  const answer = await post(plan, { id: uuidv7(), body: 'Too late' })
  expect(answer.all).toEqual({ status: 404, body: { message: 'Not Found' } })
})

test('ten updates at once all stand, each with a version of its own', async () => {
  const plan = await mia.plan()
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => post(plan, { body: `At once ${index}` })),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201))
  expect(new Set(answers.map((answer) => answer.data().version)).size).toBe(10)
  expect(await feedOf(plan)).toHaveLength(10)
})
