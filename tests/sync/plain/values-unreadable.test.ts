// A server sends values in other forms, some of which cannot be read.
import { expect, test } from 'vitest'
import type { Oddity } from '../../plain-server/plain-options.ts'
import { waitFor } from '../engine-fixture.ts'
import { PlainFixture, stored } from './plain-fixture.ts'

test.for<Oddity>([
  'null-texts',
  'null-lists',
  'null-numbers',
  'numbers-as-strings',
  'booleans-as-numbers',
  'days-as-instants',
  'days-with-time',
  'days-without-dashes',
  'days-as-numbers',
  'times-without-zone',
  'times-in-seconds',
  'no-author',
  'no-created-at',
  'no-written-at',
  'unknown-status',
])('%s are read, and nothing is reported', async (oddity) => {
  const stage = new PlainFixture({ oddities: { [oddity]: 'all' } })
  const tab = await stage.readTab()
  const plans = await stored(tab, 'success_plans')
  expect(plans).toHaveLength(40)
  expect(plans[0]).toMatchObject({ end_date: '2026-12-31' })
  expect(await stored(tab, 'accounts')).toContainEqual(
    expect.objectContaining({ arr: oddity === 'null-numbers' ? null : 1_000 }),
  )
  const replica = tab.activeReplica()!
  expect(await tab.pullScheduler.pullPartition(replica, 'success_plan_updates', '1')).toBe(true)
  expect(await replica.partition('success_plan_updates', '1')).toMatchObject([
    { written_at: expect.stringContaining('2026-03-01') },
  ])
  expect(tab.state.readReport.get().unread).toEqual([])
})

test.for([
  ['user_id and pivot.role alone', { user_id: 1, pivot: { role: 'admin' } }],
  ['the user with a pivot', { user: { id: 1 }, pivot: { user_id: 1, role: 'admin' } }],
] as const)('a member that is %s can be read', async ([, member]) => {
  const stage = new PlainFixture()
  stage.network = (request) => {
    const real = stage.answer(request)
    return /\/organisation-users\b/.test(request.url)
      ? { ...real, text: JSON.stringify({ data: [member] }) }
      : real
  }
  const tab = await stage.readTab()
  expect(await stored(tab, 'organisation_users')).toMatchObject([
    { user_id: '1', pivot: { role: 'admin' } },
  ])
  expect(tab.state.readReport.get().unread).toEqual([])
})

test('an unreadable optional field is left out, and reported until it can be read', async () => {
  const stage = new PlainFixture({ oddities: { 'days-localised': 'first' } })
  const tab = await stage.readTab()
  const plans = await stored(tab, 'success_plans')
  expect(plans).toHaveLength(40)
  expect(plans.find(({ id }) => id === '1')).toMatchObject({ title: 'Plan 1', end_date: null })
  expect(tab.state.readReport.get().unread).toContainEqual({
    collection: 'success_plans',
    id: '1',
    path: 'end_date',
    reason: 'date',
    type: 'string',
    leftOut: 'field',
  })
  expect(tab.state.connection.get()).toBe('online')
  // Known in every tab, and after a restart.
  const other = await stage.tab()
  other.wake()
  await other.pullScheduler.publishStatus()
  expect(other.state.readReport.get().unread).not.toEqual([])

  stage.plain.options.oddities = {}
  await tab.pullScheduler.pullAgain()
  expect(tab.state.readReport.get().unread).toEqual([])
})

test('an unreadable record keeps its last good copy, and is not taken for missing', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.plain.options.oddities = { 'null-titles': 'first' }
  for (let count = 0; count < 3; count += 1) await tab.pullScheduler.pullAgain()
  expect(await stored(tab, 'success_plans')).toHaveLength(40)
  expect(await stored(tab, 'success_plans')).toContainEqual(
    expect.objectContaining({ title: 'Plan 1' }),
  )
  expect(tab.state.readReport.get().unread).toContainEqual(
    expect.objectContaining({ collection: 'success_plans', path: 'title', leftOut: 'record' }),
  )
})

test('while an id cannot be read, nothing of its collection is removed', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.plain.options.oddities = { 'null-ids': 'first' }
  stage.plain.records.tables.actions.push({
    ...stage.plain.records.tables['actions'][0]!,
    id: '99',
  })
  stage.plain.records.tables['success-plans'].splice(20, 1)
  for (let count = 0; count < 3; count += 1) await tab.pullScheduler.pullAgain()
  expect(await stored(tab, 'success_plans')).toHaveLength(40)
  expect(await stored(tab, 'actions')).toHaveLength(2)
})

test('a page without a readable id does not end its list', async () => {
  const stage = new PlainFixture()
  stage.network = (request) => {
    const isSecond = /success-plans\?.*\bpage=2/.test(request.url)
    stage.plain.options.oddities = isSecond ? { 'null-ids': 'all' } : {}
    return stage.answer(request)
  }
  const tab = await stage.readTab()
  expect(tab.state.readReport.get().unread).toHaveLength(15)
  expect(await stored(tab, 'success_plans')).toHaveLength(25)
  expect(tab.state.connection.get()).toBe('online')
})

test('a list that is none is not understood, which is not offline', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const end = stage.plain.refuse(
    { method: 'GET', path: /\/success-plans$/ },
    200,
    '{"plans":"none"}',
  )
  await tab.pullScheduler.pullAgain()
  expect(tab.state.connection.get()).toBe('not-understood')
  expect(await stored(tab, 'success_plans')).toHaveLength(40)
  end()
  await tab.pullScheduler.pullAgain()
  expect(tab.state.connection.get()).toBe('online')
})

test('writes that get no answer while reads do are not understood, which is not offline', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  // As a browser does when the preflight is refused.
  stage.network = (request) => {
    if (request.url.endsWith('/updates') && request.method === 'POST')
      throw new TypeError('Failed to fetch')
    return stage.answer(request)
  }
  await tab.enqueue('postPlanUpdate', {
    path: { id: '1' },
    body: { id: crypto.randomUUID(), body: 'They signed.' },
  })
  // Each is looked for before it is sent again, which takes minutes.
  const later = () => {
    stage.aheadMs += 30_000
    tab.wake()
  }
  const stateLater = () => {
    later()
    return tab.state.connection.get()
  }
  await expect.poll(stateLater).toBe('not-understood')
  // And it stays so, whatever comes next.
  const states = new Set<string>()
  tab.state.connection.subscribe(() => states.add(tab.state.connection.get()))
  const writes = () => stage.requests.filter(({ url }) => url.endsWith('/updates')).length
  const before = writes()
  const writesLater = () => {
    later()
    return writes()
  }
  await expect.poll(writesLater).toBeGreaterThan(before + 2)
  expect([...states]).toEqual([])
  expect((await tab.outbox.all())[0]?.state).toBe('pending')
  stage.network = stage.answer
})

test.for<Oddity>(['null-titles', 'null-ids'])(
  'a change stays on the screen while its record cannot be read: %s',
  async (oddity) => {
    const stage = new PlainFixture()
    const tab = await stage.readTab()
    const rename = { path: { id: '1' }, body: { description: 'Agreed again.' } }
    // Every reading after the edit: one begins as soon as it is answered.
    stage.network = (request) => {
      const answer = stage.answer(request)
      if (request.method === 'PATCH') stage.plain.options.oddities = { [oddity]: 'first' }
      return answer
    }
    await tab.enqueue('updateSuccessPlan', rename)
    await waitFor(async () => expect((await tab.outbox.all())[0]?.state).toBe('acknowledged'))
    await tab.pullScheduler.pullAgain()
    expect(await tab.outbox.all()).toMatchObject([{ input: rename, state: 'acknowledged' }])

    stage.plain.options.oddities = {}
    await tab.pullScheduler.pullAgain()
    expect(await tab.outbox.all()).toEqual([])
    expect(await stored(tab, 'success_plans')).toContainEqual(
      expect.objectContaining({ id: '1', description: 'Agreed again.' }),
    )
  },
)

test('an empty text in place of a day is no day, and nothing is reported', async () => {
  const stage = new PlainFixture({ oddities: { 'empty-days': 'all' } })
  const tab = await stage.readTab()
  expect(await stored(tab, 'success_plans')).toContainEqual(
    expect.objectContaining({ id: '1', end_date: null }),
  )
  expect(tab.state.readReport.get().unread).toEqual([])
})
