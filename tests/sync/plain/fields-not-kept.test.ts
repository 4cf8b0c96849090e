// A server has no place for some fields: it ignores them in requests, and no record of it has them.
import { expect, test } from 'vitest'
import type { Engine } from '../../../src/sync/core/engine.ts'
import type { PlainOptions } from '../../plain-server/plain-options.ts'
import { waitFor } from '../engine-fixture.ts'
import { PlainFixture } from './plain-fixture.ts'

const WITHOUT_NOTES = { unknownFields: { accounts: ['notes', 'tags'] } }

const addAccount = (tab: Engine, fields: object) =>
  tab.enqueue('createAccount', { body: { id: crypto.randomUUID(), name: 'Flood Co', ...fields } })

const editAccount = (tab: Engine, fields: object) =>
  tab.enqueue('updateAccount', { path: { id: '1' }, body: fields })

const waiting = async (tab: Engine) =>
  (await tab.outbox.all()).filter(({ state }) => state === 'attention')

const published = async (tab: Engine) => {
  await tab.pullScheduler.publishStatus()
  return tab.state.readReport.get().notKept
}

test('the first operation with a field that is not kept needs attention, and the rest of it has arrived', async () => {
  const stage = new PlainFixture(WITHOUT_NOTES)
  const tab = await stage.readTab()
  expect(await published(tab)).toEqual({})
  await addAccount(tab, { industry: 'Water', notes: 'Call them.' })
  await stage.settled(tab)
  expect(await waiting(tab)).toMatchObject([
    {
      endpoint: 'updateAccount',
      input: { path: { id: '4' }, body: { notes: 'Call them.' } },
      last_error: { code: 'not_kept', errors: { notes: ['never_returned'] } },
    },
  ])
  expect(await published(tab)).toEqual({ accounts: ['notes'] })
  expect(stage.plain.seen('POST', /accounts$/)).toHaveLength(1)
})

test('later operations do not ask for the same field again, and do for another one', async () => {
  const stage = new PlainFixture(WITHOUT_NOTES)
  const tab = await stage.readTab()
  await editAccount(tab, { notes: 'Call them.' })
  await stage.settled(tab)
  await addAccount(tab, { notes: 'Write to them.' })
  await editAccount(tab, { industry: 'Energy', notes: 'Visit them.' })
  await stage.settled(tab)
  expect(await waiting(tab)).toMatchObject([{ input: { body: { notes: 'Call them.' } } }])
  await editAccount(tab, { notes: 'Again.', tags: ['large'] })
  await stage.settled(tab)
  expect((await waiting(tab)).map(({ last_error }) => last_error?.errors)).toEqual([
    { notes: ['never_returned'] },
    { tags: ['never_returned'] },
  ])
  expect(await published(tab)).toEqual({ accounts: ['notes', 'tags'] })
})

/** An answer to a write from which nothing can be told of the fields of its record. */
const SHORT_ANSWERS = ['empty', 'message', 'id', 'lost'] as const

/** A server that answers so; the first answer to each of these writes is lost with `lost`. */
function shortStage(writes: (typeof SHORT_ANSWERS)[number], unknownFields: object) {
  if (writes !== 'lost') return new PlainFixture({ writes, unknownFields: { ...unknownFields } })
  const stage = new PlainFixture({ unknownFields: { ...unknownFields } })
  const lost = new Set<string>()
  stage.network = (request) => {
    const answer = stage.answer(request)
    const { body = '', method } = request
    if (method !== 'POST' || !request.url.includes('/api/') || lost.has(body)) return answer
    lost.add(body)
    throw new TypeError('Failed to fetch')
  }
  return stage
}

test.for(SHORT_ANSWERS)(
  'a new record is compared where it is looked for, after an answer without its fields: %s',
  async (writes) => {
    const stage = shortStage(writes, { accounts: ['notes', 'tags'] })
    const tab = await stage.readTab()
    await addAccount(tab, { notes: 'Call them.', tags: ['large'] })
    await stage.settled(tab)
    expect(await waiting(tab)).toMatchObject([
      {
        endpoint: 'updateAccount',
        input: { path: { id: '4' }, body: { notes: 'Call them.', tags: ['large'] } },
        last_error: {
          code: 'not_kept',
          errors: { notes: ['never_returned'], tags: ['never_returned'] },
        },
      },
    ])
    expect(await published(tab)).toEqual({ accounts: ['notes', 'tags'] })
    await addAccount(tab, { name: 'Dam Co', notes: 'Write to them.', tags: ['small'] })
    await stage.settled(tab)
    expect(await waiting(tab)).toHaveLength(1)
    expect(stage.plain.seen('POST', /accounts$/)).toHaveLength(2)
  },
)

test.for(['empty', 'message', 'id'] as const)(
  'an edit has arrived but for a field that the server does not know, after an answer without fields: %s',
  async (writes) => {
    const stage = new PlainFixture({ writes })
    const tab = await stage.readTab()
    const complete = async (id: string) => {
      const body = { status: 'completed', outcome: 'achieved' }
      await tab.enqueue('updateSuccessPlan', { path: { id }, body })
      await stage.settled(tab)
    }
    await complete('1')
    const [first] = await waiting(tab)
    expect(first?.last_error).toMatchObject({
      code: 'not_kept',
      errors: { outcome: ['never_returned'] },
    })
    expect(await published(tab)).toEqual({ success_plans: ['outcome'] })
    await complete('2')
    expect(await waiting(tab)).toEqual([first])
    const plans = stage.plain.records.tables['success-plans']
    expect(plans.slice(0, 2).map(({ status }) => status)).toEqual(['completed', 'completed'])
    expect(stage.plain.seen('PATCH', /./)).toHaveLength(2)
  },
)

test('a field that an edit did not change is named, after an answer without fields', async () => {
  const stage = new PlainFixture({ writes: 'empty' })
  const tab = await stage.readTab()
  const { records } = stage.plain
  const present = records.present.bind(records)
  records.present = (table, record) => ({ ...present(table, record), notes: null })
  await editAccount(tab, { industry: 'Energy', notes: 'Call them.' })
  await stage.settled(tab)
  expect(await waiting(tab)).toMatchObject([
    { endpoint: 'updateAccount', last_error: { code: 'not_kept', errors: { notes: [] } } },
  ])
  expect(await published(tab)).toEqual({})
})

test('a field that is not kept is known in other tabs, after a restart and after a sign-out, and not at another address', async () => {
  const stage = new PlainFixture(WITHOUT_NOTES)
  const tab = await stage.readTab()
  await editAccount(tab, { notes: 'Call them.' })
  await stage.settled(tab)
  expect(await published(await stage.reopened())).toEqual({ accounts: ['notes'] })
  await tab.signOut('discard')
  expect(await published(await stage.readTab())).toEqual({ accounts: ['notes'] })
  const { address } = stage
  stage.address = { ...address, baseUrl: 'https://other.test' }
  stage.plain.options.unknownFields = {}
  const other = await stage.readTab()
  expect(await published(other)).toEqual({})
  // What that server returns says nothing about the first one.
  stage.address = address
  expect(await other.http.fields.notKept()).toEqual({ accounts: ['notes'] })
})

test('a field that a record has again is offered again', async () => {
  const stage = new PlainFixture(WITHOUT_NOTES)
  const tab = await stage.readTab()
  await editAccount(tab, { notes: 'Call them.' })
  await stage.settled(tab)
  stage.plain.options.unknownFields = {}
  await tab.pullScheduler.pullAgain()
  expect(await published(tab)).toEqual({})
})

test('a field that some records lack is kept', async () => {
  const stage = new PlainFixture()
  stage.plain.records.tables.accounts[2]!.notes = 'A key account.'
  const tab = await stage.readTab()
  // The answer to a write has fewer fields than the lists.
  const { records } = stage.plain
  const present = records.present.bind(records)
  const brief = (table: Parameters<typeof present>[0], record: Parameters<typeof present>[1]) => {
    const { notes: _, ...shown } = present(table, record)
    return shown
  }
  records.present = brief
  await editAccount(tab, { notes: 'Call them.' })
  await stage.settled(tab)
  expect(await waiting(tab)).toEqual([])
  expect(await published(tab)).toEqual({})
})

test('no field counts as lost before a record was read; the fields that it lacks are named afterwards', async () => {
  const stage = new PlainFixture(WITHOUT_NOTES, { accounts: 0, plans: 0 })
  const tab = await stage.readTab()
  await addAccount(tab, { notes: 'Call them.' })
  await stage.settled(tab)
  expect(await waiting(tab)).toEqual([])
  await waitFor(async () => expect(await published(tab)).toEqual({ accounts: ['notes'] }))
})

test.for<PlainOptions['lists']>(['map', 'nested'])(
  'the fields of records are known from lists in other forms: %s',
  async (lists) => {
    const stage = new PlainFixture({ lists })
    const tab = await stage.readTab()
    // It answers a new record with less than its lists.
    stage.network = (request) => {
      const real = stage.answer(request)
      return request.method === 'POST' && request.url.endsWith('/accounts')
        ? { ...real, text: '{"data":{"id":4,"name":"Flood Co"}}' }
        : real
    }
    await addAccount(tab, { notes: 'Call them.' })
    await stage.settled(tab)
    expect(await published(tab)).toEqual({})
  },
)

/** A server that answers parents as records, and none of them with a write. */
function nestedStage() {
  const stage = new PlainFixture({ oddities: { 'nested-parents': 'all' } })
  stage.network = (request) => {
    const real = stage.answer(request)
    if (request.method === 'GET') return real
    return { ...real, text: real.text.replaceAll(/"(account|owner)":(\{[^}]*\}|null),?/g, '') }
  }
  return stage
}

test('parents that are answered as records are kept, though the answer to a write leaves them out', async () => {
  const stage = nestedStage()
  const tab = await stage.readTab()
  await tab.enqueue('createSuccessPlan', {
    body: { id: crypto.randomUUID(), title: 'Dry feet', account_id: '1', owner_id: '1' },
  })
  await stage.settled(tab)
  expect(await waiting(tab)).toEqual([])
  expect(await published(tab)).toEqual({})
})

test('parents that an earlier build took for not kept are offered again once records have them', async () => {
  const stage = nestedStage()
  const { baseUrl } = stage.address
  const missed = ['account_id', 'owner_id', 'type']
  await stage.store.transact(['session'], 'readwrite', async (tx) => {
    const fields = { table: 'success_plans', returned: ['id', 'account', 'owner'], missed }
    tx.put('session', ['fields', baseUrl, 'success_plans'], fields)
  })
  stage.plain.options.unknownFields = { 'success-plans': ['type'] }
  const tab = await stage.readTab()
  expect(await published(tab)).toEqual({ success_plans: ['type'] })
})

test('a parent that is answered as another record needs attention', async () => {
  const stage = new PlainFixture({ oddities: { 'nested-parents': 'all' } })
  const tab = await stage.readTab()
  stage.network = (request) => {
    const real = stage.answer(request)
    return { ...real, text: real.text.replace(/("owner":\{"id":)1/, '$12') }
  }
  await tab.enqueue('createSuccessPlan', {
    body: { id: crypto.randomUUID(), title: 'Dry feet', account_id: '1', owner_id: '1' },
  })
  await stage.settled(tab)
  expect(await waiting(tab)).toMatchObject([
    { input: { body: { owner_id: '1' } }, last_error: { code: 'not_kept' } },
  ])
})

test('the date of a past update needs attention once, that of an update of today never', async () => {
  const stage = new PlainFixture({ unknownFields: { updates: ['written_at'] } })
  const tab = await stage.readTab()
  const replica = tab.activeReplica()
  if (!replica) throw new Error('No organisation is active.')
  await tab.pullScheduler.pullPartition(replica, 'success_plan_updates', '1')
  const post = async (body: string, written_at: Date) => {
    const fields = { id: crypto.randomUUID(), body, written_at: written_at.toISOString() }
    await tab.enqueue('postPlanUpdate', { path: { id: '1' }, body: fields })
    await stage.settled(tab)
  }
  await post('Today.', new Date())
  expect(await waiting(tab)).toEqual([])
  await post('Long ago.', new Date('2024-03-01T09:00:00Z'))
  await post('Later.', new Date('2024-04-01T09:00:00Z'))
  expect(await waiting(tab)).toMatchObject([
    {
      input: { body: { body: 'Long ago.' } },
      last_error: { code: 'not_kept', errors: { written_at: ['never_returned'] } },
    },
  ])
  expect(await published(tab)).toEqual({ success_plan_updates: ['written_at'] })
})

test('a field of the own profile that the server ignores needs attention once, and is not offered then', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const edit = (body: object) => tab.enqueue('updateUserinfo', { body })
  await edit({ name: 'Ana North', job_title: 'Lead' })
  await stage.settled(tab)
  expect(await waiting(tab)).toMatchObject([
    {
      endpoint: 'updateUserinfo',
      last_error: { code: 'not_kept', errors: { job_title: ['never_returned'] } },
    },
  ])
  expect(stage.plain.users[0]?.name).toBe('Ana North')
  expect(await published(tab)).toEqual({ getUserinfo: ['job_title'] })
})

test('consents of which the server has others need attention', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.network = (request) => {
    const answer = stage.answer(request)
    return request.url.endsWith('consents')
      ? { ...answer, text: '{"data":{"email":{"offers":true},"digest":"weekly"}}' }
      : answer
  }
  await tab.enqueue('updateNotificationConsents', { body: { email: { plan_update: true } } })
  await stage.settled(tab)
  expect(await waiting(tab)).toMatchObject([
    { last_error: { code: 'not_kept', errors: { email: [] } } },
  ])
})
