// A server keeps the note of an update and not the status, progress or health that came with it.
import { expect, test } from 'vitest'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { waitFor } from '../engine-fixture.ts'
import { PlainFixture, stored } from './plain-fixture.ts'

/** The server takes the ids of notes, so that one is confirmed as soon as it is answered. */
const WITH_IDS = { clientIds: 'unique', ids: 'uuids' } as const

const seenPlan = async (tab: Engine, id: string) =>
  (await stored(tab, 'success_plans')).find((one) => one.id === id)

const post = async (stage: PlainFixture, tab: Engine, body: object, seen?: object) => {
  const { id } = plan(stage)
  await tab.enqueue(
    'postPlanUpdate',
    { path: { id }, body: { id: crypto.randomUUID(), ...body } },
    { ...(seen ?? (await seenPlan(tab, id))) },
  )
}
const plan = (stage: PlainFixture) => stage.plain.records.tables['success-plans'][0]!
const writes = (stage: PlainFixture) =>
  stage.plain.requests
    .filter(({ method, path }) => method !== 'GET' && path.includes('success-plans'))
    .map(({ method, body }) => ({ method, body: JSON.parse(body ?? '{}') as object }))

test('the note is sent first, then the change as an edit of the plan', async () => {
  const stage = new PlainFixture(WITH_IDS)
  const tab = await stage.readTab()
  await post(stage, tab, { body: 'We pause.', status: 'paused', progress: 40 })
  await waitFor(() => expect(plan(stage)).toMatchObject({ status: 'paused', progress: 40 }))
  const [note, edit] = writes(stage)
  expect(note).toMatchObject({ method: 'POST', body: { body: 'We pause.' } })
  expect(note?.body).not.toHaveProperty('status')
  expect(edit).toEqual({ method: 'PATCH', body: { status: 'paused', progress: 40 } })
})

test('a change without a note is an edit alone', async () => {
  const stage = new PlainFixture(WITH_IDS)
  const tab = await stage.readTab()
  await post(stage, tab, { body: '', progress: 60 })
  await waitFor(() => expect(plan(stage).progress).toBe(60))
  expect(writes(stage)).toEqual([{ method: 'PATCH', body: { progress: 60 } }])
})

test('a question about the change does not hold the note', async () => {
  const stage = new PlainFixture(WITH_IDS)
  const tab = await stage.readTab()
  const seen = await seenPlan(tab, plan(stage).id)
  plan(stage).progress = 90
  await post(stage, tab, { body: 'Half way.', progress: 50 }, seen)
  await waitFor(async () =>
    expect((await tab.outbox.all()).map(({ conflict }) => conflict?.fields)).toContainEqual([
      'progress',
    ]),
  )
  expect(writes(stage)).toMatchObject([{ method: 'POST', body: { body: 'Half way.' } }])
})

test('with the capability both are one call', async () => {
  const stage = new PlainFixture({ ...WITH_IDS, capabilities: 'effects, versions' })
  const tab = await stage.readTab()
  await post(stage, tab, { body: 'We pause.', status: 'paused' })
  await waitFor(() => expect(writes(stage)).not.toEqual([]))
  expect(writes(stage)[0]?.body).toMatchObject({ body: 'We pause.', status: 'paused' })
})
