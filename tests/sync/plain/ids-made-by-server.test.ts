// A record is made on the device, and its server gives it another id while things wait that mention it.
import { expect, test } from 'vitest'
import { engineTable } from '../../../contract/engine-table.ts'
import {
  ALIASED_STORES,
  dropOldAliases,
  readAliases,
  resolveOperation,
  writeAlias,
} from '../../../src/sync/core/arrival/aliases.ts'
import type { Engine } from '../../../src/sync/core/engine.ts'
import type { Operation } from '../../../src/sync/core/operation.ts'
import type { Store } from '../../../src/sync/core/ports.ts'
import { EngineFixture, offline, waitFor } from '../engine-fixture.ts'
import { PlainFixture, stored } from './plain-fixture.ts'

const id = () => crypto.randomUUID()

/** Ana signs in and loses the network. */
async function offlineTab(
  options: ConstructorParameters<typeof PlainFixture>[0] = {},
  store?: (real: Store) => Store,
) {
  const stage = new PlainFixture(options, undefined, store)
  const tab = await stage.readTab()
  stage.network = offline
  return { stage, tab }
}

/** An account, a plan, an initiative, an action and an update, each of the one before; with their local ids. */
async function makeAll(tab: Engine) {
  const ids = { account: id(), plan: id(), initiative: id(), action: id(), update: id() }
  await tab.enqueue('createAccount', { body: { id: ids.account, name: 'Flood Co' } })
  await tab.enqueue('createSuccessPlan', {
    body: { id: ids.plan, title: 'Dry feet', account_id: ids.account },
  })
  await tab.enqueue('createInitiative', {
    body: { id: ids.initiative, title: 'Pumps', success_plan_id: ids.plan },
  })
  await tab.enqueue('createAction', {
    body: {
      id: ids.action,
      title: 'Order',
      success_plan_id: ids.plan,
      initiative_id: ids.initiative,
    },
  })
  await tab.enqueue('postPlanUpdate', {
    path: { id: ids.plan },
    body: { id: ids.update, body: 'Kick-off.' },
  })
  await tab.enqueue('updateAction', { body: { id: ids.action, status: 'done' } })
  return ids
}

const creates = (stage: PlainFixture) =>
  stage.plain.requests.filter(({ method }) => method === 'POST')

test('records made offline arrive once each, with the ids of their server', async () => {
  const { stage, tab } = await offlineTab()
  const ids = await makeAll(tab)
  stage.network = stage.answer
  await stage.settled(tab)
  await waitFor(() => tab.pullScheduler.pullAgain())
  const { tables } = stage.plain.records
  expect(tables.accounts.at(-1)).toMatchObject({ id: '4', name: 'Flood Co' })
  expect(tables['success-plans'].at(-1)).toMatchObject({ id: '41', account_id: '4' })
  expect(tables.initiatives.at(-1)).toMatchObject({ id: '2', success_plan_id: '41' })
  expect(tables.actions.at(-1)).toMatchObject({
    id: '2',
    success_plan_id: '41',
    initiative_id: '2',
    status: 'done',
  })
  expect(tables.updates.at(-1)).toMatchObject({ success_plan_id: '41', body: 'Kick-off.' })
  const writes = creates(stage).filter(({ path }) => path.startsWith('/api/v1/'))
  expect(writes.map(({ path }) => path)).toHaveLength(5)
  for (const { body } of writes)
    for (const local of Object.values(ids)) expect(body).not.toContain(local)
  await waitFor(async () =>
    expect((await stored(tab, 'accounts')).map((one) => one.id)).toContain('4'),
  )
})

test('an app that is closed before an answer is stored sends nothing twice', async () => {
  for (let failing = 1; failing <= 5; failing += 1) {
    const { stage, tab } = await offlineTab()
    await makeAll(tab)
    let answered = 0
    stage.network = (request) => {
      const answer = stage.plain.handle(request)
      if (request.method === 'POST' && request.url.startsWith('/api/v1/')) {
        answered += 1
        // Killed before the answer is stored.
        if (answered === failing) {
          stage.closeTabs()
          throw new Error('The app is closed.')
        }
      }
      return answer
    }
    await waitFor(() => {
      tab.wake()
      expect(answered).toBe(failing)
    })
    stage.network = stage.answer
    const next = await stage.reopened()
    await stage.settled(next)
    const { tables } = stage.plain.records
    expect(tables.accounts.filter(({ name }) => name === 'Flood Co')).toHaveLength(1)
    expect(tables['success-plans'].filter(({ title }) => title === 'Dry feet')).toHaveLength(1)
    expect(tables.initiatives.filter(({ title }) => title === 'Pumps')).toHaveLength(1)
    expect(tables.actions.filter(({ title }) => title === 'Order')).toHaveLength(1)
    expect(tables.updates.filter(({ body }) => body === 'Kick-off.')).toHaveLength(1)
    stage.close()
  }
})

test.for([1, 2, 3, 4])(
  'killed at write %s after the answer, nothing keeps the local id alone',
  async (count) => {
    let left = Infinity
    const { stage, tab } = await offlineTab({}, (real) => ({
      transact: async (tables, mode, work) => {
        if (mode !== 'readonly') left -= 1
        if (left < 0) throw new Error('The app is killed.')
        return await real.transact(tables, mode, work)
      },
    }))
    const account = id()
    await tab.enqueue('createAccount', { body: { id: account, name: 'Flood Co' } })
    await tab.enqueue('createSuccessPlan', {
      body: { id: id(), title: 'Dry feet', account_id: account },
    })
    stage.network = (request) => {
      const answer = stage.answer(request)
      if (request.method === 'POST' && request.url.endsWith('/accounts')) left = count - 1
      return answer
    }
    await waitFor(() => {
      tab.wake()
      expect(left).toBeLessThan(0)
    })
    stage.closeTabs()
    left = Infinity
    stage.network = stage.answer
    await stage.settled(await stage.reopened())
    const { tables } = stage.plain.records
    expect(tables.accounts.filter(({ name }) => name === 'Flood Co')).toHaveLength(1)
    expect(tables['success-plans'].filter(({ title }) => title === 'Dry feet')).toMatchObject([
      { account_id: '4' },
    ])
  },
)

test('what another tab enqueues with the local id is sent with the id of the server', async () => {
  const { stage, tab } = await offlineTab()
  const account = id()
  await tab.enqueue('createAccount', { body: { id: account, name: 'Flood Co' } })
  const other = await stage.reopened()
  stage.network = stage.answer
  await stage.settled(tab)
  // Its screen may not have heard of the alias yet.
  stage.network = offline
  await other.enqueue('updateAccount', { path: { id: account }, body: { notes: 'Call.' } })
  await other.enqueue('createSuccessPlan', {
    body: { id: id(), title: 'Dry feet', account_id: account },
  })
  const waiting = (await other.outbox.all()).filter(({ state }) => state === 'pending')
  expect(waiting.map(({ input, lane }) => [input.path?.id, lane.includes(account)])).toEqual([
    ['4', false],
    [undefined, false],
  ])
  stage.network = stage.answer
  await stage.settled(other)
  expect(stage.plain.records.tables.accounts.at(-1)).toMatchObject({ notes: 'Call.' })
  expect(stage.plain.records.tables['success-plans'].at(-1)).toMatchObject({ account_id: '4' })
  expect(other.state.aliases.get().get(account)).toMatchObject({ table: 'accounts', id: '4' })
})

test('what is discarded before the answer and restored after it has the id of the server', async () => {
  const { stage, tab } = await offlineTab()
  const account = id()
  await tab.enqueue('createAccount', { body: { id: account, name: 'Flood Co' } })
  const plan = await tab.enqueue('createSuccessPlan', {
    body: { id: id(), title: 'Dry feet', account_id: account },
  })
  const discarded = await tab.outbox.discard(plan.id)
  stage.network = stage.answer
  await stage.settled(tab)
  await tab.outbox.restore(discarded)
  await tab.outboxChanged()
  await stage.settled(tab)
  expect(stage.plain.records.tables['success-plans'].at(-1)).toMatchObject({ account_id: '4' })
})

test('drafts, recently opened records and the sent log follow, those of others do not', async () => {
  const { stage, tab } = await offlineTab()
  const account = id()
  const scope = tab.activeReplica()?.scope
  if (!scope) throw new Error('No organisation is active.')
  const { user_id, organisation_id } = scope
  await tab.enqueue('createAccount', { body: { id: account, name: 'Flood Co' } })
  await tab.activeReplica()?.setValue('recent', [{ kind: 'account', id: account }])
  await stage.store.transact(['drafts'], 'readwrite', async (tx) => {
    const text = JSON.stringify({ account_id: account })
    tx.put('drafts', [user_id, organisation_id, `account:${account}`], text)
    tx.put('drafts', ['9', organisation_id, `account:${account}`], text)
  })
  stage.network = stage.answer
  await stage.settled(tab)
  expect(await tab.activeReplica()?.getValue('recent')).toEqual([{ kind: 'account', id: '4' }])
  const drafts = await stage.store.transact(['drafts'], 'readonly', async (tx) => [
    await tx.get('drafts', [user_id, organisation_id, 'account:4']),
    await tx.get('drafts', [user_id, organisation_id, `account:${account}`]),
    await tx.get('drafts', ['9', organisation_id, `account:${account}`]),
  ])
  expect(drafts).toEqual([
    JSON.stringify({ account_id: '4' }),
    undefined,
    JSON.stringify({ account_id: account }),
  ])
})

test('an alias survives a sign-out that keeps the queue', async () => {
  const { stage, tab } = await offlineTab()
  const account = id()
  await tab.enqueue('createAccount', { body: { id: account, name: 'Flood Co' } })
  stage.network = stage.answer
  await stage.settled(tab)
  await tab.signOut('keep')
  const again = await stage.readTab()
  await again.enqueue('updateAccount', { path: { id: account }, body: { notes: 'Call.' } })
  await stage.settled(again)
  expect(stage.plain.records.tables.accounts.at(-1)).toMatchObject({ notes: 'Call.' })
})

test('what another user of the device enqueues with the local id is sent with the id of the server', async () => {
  const { stage, tab } = await offlineTab()
  const account = id()
  await tab.enqueue('createAccount', { body: { id: account, name: 'Flood Co' } })
  stage.network = stage.answer
  await stage.settled(tab)
  await tab.signOut('keep')
  const bens = await stage.bensTab()
  // The address of its page still names it as Ana’s device did.
  expect(bens.state.aliases.get().get(account)).toMatchObject({ id: '4' })
  stage.network = offline
  const note = await bens.enqueue('updateAccount', {
    path: { id: account },
    body: { notes: 'Call.' },
  })
  await bens.outbox.edit(note.id, { id: account, notes: 'Call twice.' })
  await bens.outboxChanged()
  await bens.enqueue('createSuccessPlan', {
    body: { id: id(), title: 'Dry feet', account_id: account },
  })
  stage.network = stage.answer
  await stage.settled(bens)
  expect(stage.plain.records.tables.accounts.at(-1)).toMatchObject({ notes: 'Call twice.' })
  expect(stage.plain.records.tables['success-plans'].at(-1)).toMatchObject({ account_id: '4' })
  const writes = stage.plain.requests.filter(({ method }) => !['GET', 'POST'].includes(method))
  for (const { body, path } of [...writes, ...creates(stage).slice(-1)])
    expect(path + body).not.toContain(account)
})

test('two users of the device who make a record under the same id each keep their own', async () => {
  const { stage, tab } = await offlineTab()
  const account = id()
  // As an import of the same archive does.
  const create = (engine: Engine) =>
    engine.enqueue('createAccount', { body: { id: account, name: 'Flood Co' } })
  await create(tab)
  await tab.enqueue('createSuccessPlan', {
    body: { id: id(), title: 'Ana’s plan', account_id: account },
  })
  await tab.signOut('keep')
  stage.network = stage.answer
  const bens = await stage.bensTab()
  const { id: bensCreate } = await create(bens)
  await waitFor(async () =>
    expect(await bens.outbox.all()).toContainEqual(
      expect.objectContaining({ id: bensCreate, state: 'acknowledged' }),
    ),
  )
  await bens.signOut('keep')
  const anas = await stage.anasTab()
  await anas.enqueue('updateAccount', { path: { id: account }, body: { notes: 'Ana’s note' } })
  await stage.settled(anas)
  const { accounts, 'success-plans': plans } = stage.plain.records.tables
  const [bensRecord, anasRecord] = accounts.slice(-2)
  expect([bensRecord, anasRecord]).toMatchObject([
    { created_by: stage.plain.users[1]?.id },
    { created_by: stage.plain.users[0]?.id, notes: 'Ana’s note' },
  ])
  expect(plans.at(-1)).toMatchObject({ account_id: anasRecord?.id })
})

test.each([
  ['stays while something of its user waits', 'ana', 'pending', true],
  ['goes when all of it has arrived', 'ana', 'acknowledged', false],
  ['goes where only another user waits', 'ben', 'pending', false],
] as const)('an id that was replaced long ago %s', async (_, user_id, state, stays) => {
  const { store } = new EngineFixture()
  const now = Date.now()
  const alias = { user_id: 'ana', organisation_id: '1', table: 'accounts', local: id(), id: '4' }
  const left = await store.transact([...ALIASED_STORES], 'readwrite', async (tx) => {
    await writeAlias(tx, { ...alias, created_at: now - 91 * 86_400_000 }, {})
    await writeAlias(tx, { ...alias, local: id(), created_at: now }, {})
    tx.put('operations', 'one', { id: 'one', v: 1, seq: 1, user_id, state })
    await dropOldAliases(tx, 'ana', now)
    return await readAliases(tx, 'ana')
  })
  expect(left).toHaveLength(stays ? 2 : 1)
})

test('an id is replaced in what an edit is based on, and in a question, though nothing else names it', () => {
  const operation = {
    id: 'one',
    user_id: 'ana',
    organisation_id: '1',
    endpoint: 'updateSuccessPlan',
    input: { path: { id: '1' }, body: { account_id: '2' } },
    lane: 'success_plans/1',
    base: { version: 1, fields: { account_id: 'local' } },
  } as unknown as Operation
  const alias = { user_id: 'ana', organisation_id: '1', table: 'accounts', local: 'local', id: '4' }
  const ids = [{ ...alias, created_at: 0 }]
  const resolved = resolveOperation(operation, ids, {})
  expect(resolved).toEqual({ ...operation, base: { version: 1, fields: { account_id: '4' } } })
  const conflict = { fields: ['account_id'], theirs: { id: '1', account_id: 'local' } }
  const asked = resolveOperation({ ...resolved, conflict }, ids, {})
  expect(asked.conflict).toEqual({ ...conflict, theirs: { id: '1', account_id: '4' } })
  expect(resolveOperation(asked, ids, {})).toEqual(asked)
})

test('a record that is created while its screen waits is sent without an id of the device', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const body = { name: 'Third', timezone: 'UTC' }
  await tab.call(engineTable.calls.createOrganisation, { body: { ...body, id: id() } })
  const [post] = stage.plain.seen('POST', /organisations$/)
  expect(JSON.parse(post?.body ?? '')).toEqual(body)
})
