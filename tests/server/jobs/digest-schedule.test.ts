// When a digest is sent: in the reader's morning, and once.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DigestFixture } from '../fixtures/digest-fixture.ts'
import type { ApiUser } from '../fixtures/api-fixture.ts'

let scene: DigestFixture
beforeAll(async () => {
  scene = await DigestFixture.open()
})
beforeEach(() => scene.reset())
afterAll(() => scene.world.close())

test('daily digests come on working days, weekly ones once a week', async () => {
  const plan = await scene.mia.createPlan({ owner_id: scene.jonas.id })
  await scene.consent({ digest: 'daily' })
  const weekly = await scene.world.addMember(
    await scene.world.verify(await scene.world.createUser('Wanda')),
    scene.mia.organisation,
    'member',
  )
  const other = await scene.mia.createPlan({ owner_id: weekly.id })
  const got: string[] = []
  for (let days = 1; days <= 8; days += 1) {
    await scene.update(plan)
    await scene.update(other)
    const before = scene.world.mails.length
    await scene.digestNextMorning()
    for (const { to, subject } of scene.world.mails.slice(before))
      if (to === scene.jonas.email || to === weekly.email) got.push(`${days} ${subject}`)
  }
  expect(got).toEqual([
    '1 Your day in Cairn',
    '1 Your week in Cairn',
    ...[2, 3, 4, 5, 8].map((days) => `${days} Your day in Cairn`),
    '8 Your week in Cairn',
  ])
})

test('morning is in the reader’s own time zone, also when clocks change', async () => {
  const zones = ['Asia/Tokyo', 'America/New_York', 'Pacific/Kiritimati', 'Europe/Berlin']
  const people: ApiUser[] = []
  for (const timezone of zones) {
    const person = await scene.world.addMember(
      await scene.world.verify(await scene.world.createUser('Z')),
      scene.mia.organisation,
      'member',
    )
    await person.call('PUT', '/api/v1/userinfo', { body: { timezone } })
    await scene.consent({ digest: 'daily' }, person)
    await scene.mia.post('/api/v1/actions', {
      title: 'T',
      assignee_id: person.id,
      due_date: scene.day(-1),
    })
    people.push(person)
  }
  // 26 days with both changes to summer time: New York's on 8 March, and Berlin's on 29 March.
  const from = Date.parse('2026-03-06T12:00:00.000Z')
  while (scene.world.now.getTime() < from) scene.world.advance({ days: 7 })
  const got = new Map<string, number[]>(zones.map((zone) => [zone, []]))
  for (let hour = 0; hour < 26 * 24; hour += 1) {
    const before = scene.world.mails.length
    await scene.send()
    for (const { to } of scene.world.mails.slice(before)) {
      const zone = zones[people.findIndex(({ email }) => email === to)]
      if (zone === undefined) continue
      const local = new Intl.DateTimeFormat('en', {
        timeZone: zone,
        hour: 'numeric',
        hourCycle: 'h23',
      })
      got.get(zone)?.push(Number(local.format(scene.world.now)))
    }
    scene.world.advance({ minutes: 60 })
  }
  for (const zone of zones) {
    const [first = 0, ...rest] = got.get(zone) ?? []
    expect(first).toBeGreaterThanOrEqual(7)
    expect(first).toBeLessThan(12)
    expect(rest.length).toBeGreaterThanOrEqual(16)
    expect(new Set(rest)).toEqual(new Set([7]))
  }
}, 120_000)

test('three processes send one digest, however often they try', async () => {
  await scene.createDueWork()
  await scene.digestNextMorning(scene.mia)
  const mails = () => scene.world.mails.filter(({ to }) => to === scene.jonas.email).length
  const before = mails()
  await Promise.all([scene.send(), scene.send(), scene.send()])
  for (let times = 0; times < 4; times += 1) {
    scene.world.advance({ minutes: 30 })
    await scene.send()
  }
  expect(mails()).toBe(before)
})

test('concurrent processes send the first digest of a morning once', async () => {
  await scene.createDueWork()
  scene.world.advance({ minutes: 11 * 60 })
  const before = scene.world.mails.length
  await Promise.all([scene.send(), scene.send(), scene.send()])
  expect(scene.world.mails.slice(before).filter(({ to }) => to === scene.jonas.email)).toHaveLength(
    1,
  )
})

test('a server that was down in the morning sends its news with the next digest', async () => {
  await scene.consent({ digest: 'daily' })
  const plan = await scene.mia.createPlan({ owner_id: scene.jonas.id })
  expect(await scene.digestNextMorning()).toContain('Plans assigned to you')
  await scene.update(plan)
  scene.world.advance({ minutes: 28 * 60 })
  expect(await scene.digestOf()).toBeUndefined()
  expect(await scene.digestNextMorning()).toContain('Updates by others on your plans')
})

test('an unknown time zone counts as UTC', async () => {
  await scene.createDueWork()
  await scene.world.database.system((tx) =>
    tx
      .updateTable('users')
      .set({ timezone: 'Mars/Olympus_Mons' })
      .where('id', '=', scene.jonas.id)
      .execute(),
  )
  expect(await scene.digestNextMorning()).toContain('Overdue')
})
