// A server writes ids as numbers, and takes no text for them: they are written back as they came.
import { expect, test } from 'vitest'
import type { Engine } from '../../../src/sync/core/engine.ts'
import type { PlainOptions } from '../../plain-server/plain-options.ts'
import { PlainFixture } from './plain-fixture.ts'

const STRICT = { idsInText: 'refused' } as const

async function makeAll(tab: Engine) {
  const ids = { account: crypto.randomUUID(), plan: crypto.randomUUID() }
  await tab.enqueue('createAccount', {
    body: { id: ids.account, name: 'Flood Co', owner_id: '1' },
  })
  await tab.enqueue('createSuccessPlan', {
    body: { id: ids.plan, title: 'Dry feet', account_id: ids.account, owner_id: '1' },
  })
  await tab.enqueue('createInitiative', {
    body: { id: crypto.randomUUID(), title: 'Pumps', success_plan_id: ids.plan },
  })
  await tab.enqueue('createAction', {
    body: { id: crypto.randomUUID(), title: 'Order them', success_plan_id: ids.plan },
  })
  await tab.enqueue('updateSuccessPlan', {
    path: { id: '1' },
    body: { account_id: '2', title: 'Dry feet in town' },
  })
}

const states = async (tab: Engine) =>
  (await tab.outbox.all()).map(({ endpoint, state, last_error }) => [endpoint, state, last_error])

test.each<[string, Partial<PlainOptions>, { accounts: number; plans: number }]>([
  ['edits of parts', STRICT, { accounts: 3, plans: 40 }],
  ['a PUT that replaces', { ...STRICT, put: 'replaces' }, { accounts: 3, plans: 40 }],
])('each form is taken: %s', async (_title, options, seed) => {
  const stage = new PlainFixture(options, seed)
  const tab = await stage.readTab()
  await makeAll(tab)
  await stage.settled(tab)
  expect((await states(tab)).filter(([, state]) => state === 'attention')).toEqual([])
  const { accounts, 'success-plans': plans } = stage.plain.records.tables
  const account = accounts.find(({ name }) => name === 'Flood Co')
  expect(plans.find(({ title }) => title === 'Dry feet')).toMatchObject({
    account_id: account?.id,
    owner_id: '1',
  })
  expect(plans.find(({ id }) => id === '1')).toMatchObject({ account_id: '2' })
})

test.for(['account_id', 'account'])(
  'a number that is the id of a record in %s is written back as a number',
  async (name) => {
    const stage = new PlainFixture(STRICT)
    const { records } = stage.plain
    const present = records.present.bind(records)
    records.present = (table, record) => {
      const { account_id, ...shown } = present(table, record)
      return table === 'success-plans' ? { ...shown, [name]: { id: account_id } } : shown
    }
    const tab = await stage.readTab()
    await tab.enqueue('createSuccessPlan', {
      body: { id: crypto.randomUUID(), title: 'Dry feet', account_id: '2' },
    })
    await stage.settled(tab)
    expect((await states(tab)).filter(([, state]) => state === 'attention')).toEqual([])
    const [post] = stage.plain.seen('POST', /success-plans$/)
    expect(JSON.parse(post?.body ?? '')).toMatchObject({ account_id: 2 })
  },
)

test('ids that are texts stay so, also where they are digits', async () => {
  const stage = new PlainFixture({ ids: 'uuids' })
  const tab = await stage.readTab()
  await tab.enqueue('createSuccessPlan', {
    body: { id: crypto.randomUUID(), title: 'Dry feet', owner_id: '7' },
  })
  await stage.settled(tab)
  const [post] = stage.plain.seen('POST', /success-plans$/)
  expect(JSON.parse(post?.body ?? '')).toMatchObject({ owner_id: '7' })
})

test('numbers that JavaScript cannot hold are written back digit by digit', async () => {
  const stage = new PlainFixture({ ids: 'large-integers' })
  const tab = await stage.readTab()
  const account_id = stage.plain.records.tables.accounts[1]?.id ?? ''
  await tab.enqueue('createSuccessPlan', {
    body: { id: crypto.randomUUID(), title: 'Dry feet', account_id },
  })
  await stage.settled(tab)
  const [post] = stage.plain.seen('POST', /success-plans$/)
  expect(account_id.length).toBeGreaterThan(15)
  expect(post?.body).toContain(`"account_id":${account_id}`)
  expect((await states(tab)).filter(([, state]) => state === 'attention')).toEqual([])
})

test('ids that an earlier build noted as text are numbers once the server shows them so', async () => {
  const stage = new PlainFixture(STRICT)
  const { baseUrl } = stage.address
  await stage.store.transact(['session'], 'readwrite', async (tx) => {
    for (const table of ['accounts', 'success_plans', 'initiatives', 'actions', 'members'])
      tx.put('session', ['fields', baseUrl, table], {
        table,
        returned: ['id'],
        missed: [],
        forms: ['id', 'account_id', 'owner_id', 'success_plan_id'].map((name) => `${name}=text`),
      })
  })
  const tab = await stage.readTab()
  const account_id = stage.plain.records.tables.accounts[1]?.id ?? ''
  await tab.enqueue('createSuccessPlan', {
    body: { id: crypto.randomUUID(), title: 'Dry feet', account_id },
  })
  await stage.settled(tab)
  expect((await states(tab)).filter(([, state]) => state === 'attention')).toEqual([])
  const [post] = stage.plain.seen('POST', /success-plans$/)
  expect(post?.body).toContain(`"account_id":${account_id}`)
})
