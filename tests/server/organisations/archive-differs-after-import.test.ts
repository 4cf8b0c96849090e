// An organisation of the demo data is imported into another one, by the calls that the app queues, and this one into a
// third.
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../../contract/endpoints.ts'
import { Changes } from '../../../contract/schemas/changes.ts'
import { seedWhenEmpty } from '../../../server/demo/seed.ts'
import type { Contents } from '../../../src/features/archive/format.ts'
import { restore, type Restoration } from '../../../src/features/archive/restore.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'
import { comparable, manifestOf, mappedIds } from '../../screens/archive/archive-fixture.ts'

let world: ApiFixture
beforeAll(async () => {
  world = await ApiFixture.open()
  await seedWhenEmpty(world.database, world.now)
})
afterAll(() => world.close())

/** Everything in the user's active organisation, as the device has it after a pull. */
async function contentsOf(person: ApiUser): Promise<Contents> {
  const all: Contents = {
    people: [],
    accounts: [],
    success_plans: [],
    success_plan_updates: [],
    initiatives: [],
    actions: [],
    templates: [],
  }
  const { people: _people, ...records } = all
  let since = 0
  let members: Changes['data']['organisation_users'] = []
  for (let more = true; more;) {
    const page = v.parse(Changes, (await person.get(`/api/v1/changes?since=${since}`)).json)
    const { organisation_users, deleted: _deleted, ...lists } = page.data
    members = [...members, ...organisation_users]
    for (const name of Object.keys(records) as (keyof typeof records)[])
      (records[name] as object[]).push(...lists[name])
    since = page.version
    more = page.more
  }
  return {
    people: members.map(({ user_id, name, email }) => ({ id: user_id, name, email })),
    ...records,
    success_plan_updates: records.success_plan_updates.toSorted((a, b) => a.version - b.version),
  }
}

async function importInto(person: ApiUser, from: string, contents: Contents): Promise<Restoration> {
  const existing = await contentsOf(person)
  const user = existing.people.find(({ id }) => id === person.id)
  if (!user) throw new Error('The importing user is no member.')
  const restoration = restore(manifestOf(from, 'Oakline Advisory'), contents, {
    organisation_id: person.organisation,
    apis: [],
    user,
    members: existing.people,
    existing,
    aliases: new Map(),
    isUnsent: () => false,
    plansWithoutUpdates: [],
    keeps: () => true,
    addsTemplates: true,
  })
  expect(restoration.problems).toEqual([])
  for (const { call, input } of restoration.calls) {
    // A user may make 600 calls a minute.
    world.advance({ seconds: 1 })
    const { method, path } = endpoints[call]
    const answer = await person.call(method, path.replace('{id}', input.path?.['id'] ?? ''), {
      body: input.body,
    })
    if (answer.status > 201)
      throw new Error(`${call} ${JSON.stringify(input)}: ${answer.status} ${answer.text}`)
  }
  return restoration
}

test('an organisation is the same after export, import and export, and is imported once', async () => {
  const oakline = await world.database.system((tx) =>
    tx
      .selectFrom('organisations')
      .select('id')
      .where('name', '=', 'Oakline Advisory')
      .executeTakeFirstOrThrow(),
  )
  const ada = await world.addMember(await world.createUser('Ada'), oakline.id, 'admin')
  const demo = await contentsOf(ada)
  expect(demo.success_plans.length).toBe(10)
  const bob = await world.createOwner('Bob')
  const first = await importInto(bob, oakline.id, demo)
  expect(first.missing).toEqual(['Mia Larsen', 'Priya Nair'])
  const second = await contentsOf(bob)

  // From other people's updates: the name is kept in the text, and all are by who imported them.
  const unsigned = (name: string, value: unknown) =>
    name === 'body' || name === 'close_note'
      ? String(value).replace(/(\n\n|^)Written by .*$/, '')
      : name === 'owner_id' || name === 'user_id' || name === 'assignee_id'
        ? null
        : value
  const ids = mappedIds(oakline.id, bob.organisation)
  const expected = comparable(demo, (name, value) => unsigned(name, ids(name, value)))
  expect(comparable(second, unsigned)).toEqual(expected)
  const written = second.success_plan_updates.map(({ written_at }) => written_at)
  expect(written.toSorted()).toEqual(
    demo.success_plan_updates.map(({ written_at }) => written_at).toSorted(),
  )

  // The same archive again, and what was imported into yet another organisation by the same person.
  expect((await importInto(bob, oakline.id, demo)).calls).toEqual([])
  const made = await bob.post('/api/v1/organisations', { name: 'Third' })
  const third = bob.inOrganisation(made.data<{ id: string }>().id)
  await world.database.system((tx) =>
    tx
      .updateTable('organisations')
      .set({ plan: 'professional' })
      .where('id', '=', third.organisation)
      .execute(),
  )
  await importInto(third, bob.organisation, second)
  expect(comparable(await contentsOf(third))).toEqual(
    comparable(second, mappedIds(bob.organisation, third.organisation)),
  )
})

test('a plan and an initiative are the same where their updates do not lead to what they are', async () => {
  const mia = await world.createOwner('Mia')
  const change = (path: string, body: object) => mia.call('PATCH', path, { body })
  const manual = await mia.createPlan({ status: 'in-progress' })
  const path = `/api/v1/success-plans/${manual}`
  await mia.post(`${path}/updates`, { body: 'Begun', progress: 20, health: 'at-risk' })
  await mia.post('/api/v1/actions', { title: 'Kick-off', success_plan_id: manual, status: 'done' })
  await change(path, { progress_mode: 'auto' })
  await change(path, { progress_mode: 'manual', health: null })
  const closed = await mia.createPlan({ status: 'in-progress', progress: 70 })
  const ended = { status: 'completed', outcome: 'missed', note: 'Too late' }
  await change(`/api/v1/success-plans/${closed}`, ended)
  const edited = { outcome: 'achieved', close_note: 'In time after all' }
  await change(`/api/v1/success-plans/${closed}`, edited)
  const initiative = uuidv7()
  const reopened = ['in-progress', 'completed', 'in-progress', 'paused']
  await mia.post('/api/v1/initiatives', { id: initiative, title: 'Rollout' })
  for (const status of reopened)
    await mia.call('PUT', `/api/v1/initiatives/${initiative}`, { body: { status } })

  const made = await contentsOf(mia)
  const bob = await world.createOwner('Bob')
  await importInto(bob, mia.organisation, made)
  const ids = mappedIds(mia.organisation, bob.organisation)
  const withoutOwner = (name: string, value: unknown) => (name === 'owner_id' ? null : value)
  const after = comparable(await contentsOf(bob), withoutOwner)
  const before = comparable(made, (name, value) => withoutOwner(name, ids(name, value)))
  expect(after.success_plans).toEqual(before.success_plans)
  expect(after.initiatives).toEqual(before.initiatives)
})
