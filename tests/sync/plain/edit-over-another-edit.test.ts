// An edit at a server without versions replaces what another person has set, or clears what it did not say.
import { product } from '../../../src/app/boot/product.ts'
import { expect, test } from 'vitest'
import type { Engine } from '../../../src/sync/core/engine.ts'
import type { PlainOptions } from '../../plain-server/plain-options.ts'
import { offline, waitFor } from '../engine-fixture.ts'
import { PlainFixture, stored } from './plain-fixture.ts'

const recordOf = async (tab: Engine, name: string, id: string) => {
  const record = (await stored(tab, name)).find((one) => one.id === id)
  if (!record) throw new Error(`${name} ${id} is not on the device.`)
  return record
}
const sentAll = (tab: Engine) =>
  waitFor(async () =>
    expect((await tab.outbox.all()).filter(({ state }) => state === 'pending')).toEqual([]),
  )

/** A tab in which an edit waits that was made offline, and how the records look on the server. */
async function editOffline(stage: PlainFixture, endpoint: string, id: string, body: object) {
  const tab = await stage.readTab()
  const isAction = endpoint.endsWith('Action')
  const ofPlan = endpoint === 'updateSuccessPlan' ? 'success_plans' : 'accounts'
  const seen = await recordOf(tab, isAction ? 'actions' : ofPlan, id)
  stage.network = offline
  const input = endpoint === 'updateAction' ? { body: { id, ...body } } : { path: { id }, body }
  await tab.enqueue(endpoint, input, seen)
  return tab
}
const account = (stage: PlainFixture) => stage.plain.records.tables.accounts[0]!
const puts = (stage: PlainFixture) => stage.plain.seen('PUT', /accounts|actions/)

test.for<Partial<PlainOptions>>([{ idsInText: 'refused' }, { ids: 'large-integers' }])(
  'parents that are answered as records stay, at a server whose PUT replaces the record: %s',
  async (options) => {
    const oddities = { 'nested-parents': 'all' } as const
    const stage = new PlainFixture({ put: 'replaces', oddities, ...options })
    const { accounts, actions } = stage.plain.records.tables
    const owner_id = stage.plain.users[0]!.id
    Object.assign(accounts[0]!, { owner_id })
    Object.assign(actions[0]!, { account_id: accounts[0]!.id, assignee_id: owner_id })
    const before = { ...actions[0]! }
    const tab = await editOffline(stage, 'updateAction', before.id, { status: 'done' })
    await tab.enqueue('updateAccount', { path: { id: accounts[0]!.id }, body: { name: 'Ours' } })
    stage.network = stage.answer
    tab.wake()
    await sentAll(tab)
    expect((await tab.outbox.all()).filter(({ state }) => state === 'attention')).toEqual([])
    const { success_plan_id, initiative_id, account_id, assignee_id } = before
    expect(success_plan_id).not.toBe(undefined)
    const parents = { success_plan_id, initiative_id, account_id, assignee_id }
    expect(actions[0]).toMatchObject({ status: 'done', ...parents })
    expect(accounts[0]).toMatchObject({ name: 'Ours', owner_id })
  },
)

test('another field of another person stays, at a server whose PUT replaces the record', async () => {
  const stage = new PlainFixture({ put: 'replaces' })
  const tab = await editOffline(stage, 'updateAccount', '1', { name: 'Ours' })
  account(stage).notes = 'Theirs'
  account(stage).internal_code = 'X-9'
  stage.network = stage.answer
  tab.wake()
  await sentAll(tab)
  expect(account(stage)).toMatchObject({ name: 'Ours', notes: 'Theirs', internal_code: 'X-9' })
  expect(JSON.parse(puts(stage)[0]?.body ?? '')).toMatchObject({ id: 1, internal_code: 'X-9' })
  expect(puts(stage)).toHaveLength(1)
})

test('a record is read again where the tab was frozen between its reading and the edit', async () => {
  const stage = new PlainFixture({ put: 'replaces' })
  const tab = await editOffline(stage, 'updateAccount', '1', { name: 'Ours' })
  stage.network = stage.answer
  let isFrozen = false
  stage.delayRequest = async ({ method, url }) => {
    if (isFrozen || method !== 'GET' || !url.endsWith('/accounts/1')) return
    isFrozen = true
    account(stage).notes = 'Theirs'
    stage.aheadMs = 61_000
  }
  tab.wake()
  await sentAll(tab)
  expect(account(stage)).toMatchObject({ name: 'Ours', notes: 'Theirs' })
  expect(puts(stage)).toHaveLength(1)
})

test('a flag of another group or of the same one stays, at a server whose PUT replaces the record', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const change = async (body: object) => {
    await tab.enqueue('updateNotificationConsents', { body })
    await sentAll(tab)
  }
  await change({ email: { product_news: false, overdue: true }, push: { overdue: true } })
  await change({ email: { product_news: true } })
  const [, second] = stage.plain.seen('PUT', /notification-consents$/)
  expect(JSON.parse(second?.body ?? '')).toEqual({
    email: { product_news: true, overdue: true },
    push: { overdue: true },
  })
})

test('what only the server knows of a contact stays, in the order of the edit and without the removed ones', async () => {
  const stage = new PlainFixture({ put: 'replaces' })
  const contacts = ['Ana', 'Ben', 'Cem'].map((name, index) => ({ id: index + 1, name, fax: '1' }))
  account(stage).contacts = contacts
  const added = { name: 'Dua' }
  const withId = { ...added, id: crypto.randomUUID() }
  const edited = [{ id: '3', name: 'Cem' }, withId, { id: '1', name: 'Anna' }]
  const tab = await editOffline(stage, 'updateAccount', '1', { contacts: edited })
  stage.network = stage.answer
  tab.wake()
  await sentAll(tab)
  expect(JSON.parse(puts(stage)[0]?.body ?? '').contacts).toEqual([
    { id: 3, name: 'Cem', fax: '1' },
    added,
    { id: 1, name: 'Anna', fax: '1' },
  ])
})

test('the same field of another person is asked about, and nothing is sent', async () => {
  const stage = new PlainFixture()
  const tab = await editOffline(stage, 'updateAccount', '1', { name: 'Ours' })
  account(stage).name = 'Theirs'
  stage.network = stage.answer
  tab.wake()
  await waitFor(async () =>
    expect((await tab.outbox.all())[0]?.conflict).toMatchObject({ fields: ['name'] }),
  )
  expect(puts(stage)).toEqual([])
  const [asked] = await tab.outbox.all()
  await tab.outbox.conflicts.resolve(asked ?? { id: '' }, ['name'])
  await tab.outboxChanged()
  await waitFor(() => expect(account(stage).name).toBe('Ours'))
  expect(puts(stage)).toHaveLength(1)
})

/** A tab with edits of the titles of plan 1 and action 1, where Ben has set that of the action. */
async function editPlanAndAction(bensTitle: string) {
  const stage = new PlainFixture()
  const { tables } = stage.plain.records
  const [plan, action] = [tables['success-plans'][0]!, tables.actions[0]!]
  const tab = await stage.readTab()
  const [seenPlan, seenAction] = [
    await recordOf(tab, 'success_plans', '1'),
    await recordOf(tab, 'actions', '1'),
  ]
  const renamePlan = () =>
    tab.enqueue('updateSuccessPlan', { path: { id: '1' }, body: { title: 'Our plan' } }, seenPlan)
  const renameAction = () =>
    tab.enqueue('updateAction', { body: { id: '1', title: 'Our action' } }, seenAction)
  const setByBen = () => void (action.title = bensTitle)
  const isAsked = async () =>
    expect((await tab.outbox.all()).filter(({ conflict }) => conflict)).toMatchObject([
      { endpoint: 'updateAction' },
    ])
  return { stage, tab, plan, action, renamePlan, renameAction, setByBen, isAsked }
}

test('a question about a record does not hold the edit of another one with the same id', async () => {
  const { stage, tab, plan, renamePlan, renameAction, setByBen, isAsked } =
    await editPlanAndAction('Ben’s action')
  stage.network = offline
  await renameAction()
  await renamePlan()
  setByBen()
  stage.network = stage.answer
  tab.wake()
  await waitFor(isAsked)
  await waitFor(() => expect(plan.title).toBe('Our plan'))
})

test('what was sent to a record is not taken for one’s own in another with the same id', async () => {
  const { tab, action, renamePlan, renameAction, setByBen, isAsked } =
    await editPlanAndAction('Our plan')
  await renamePlan()
  await sentAll(tab)
  setByBen()
  await renameAction()
  await waitFor(isAsked)
  expect(action.title).toBe('Our plan')
})

test('an action is read in its list', async () => {
  const stage = new PlainFixture({ put: 'replaces' })
  const tab = await editOffline(stage, 'updateAction', '1', { status: 'done' })
  const action = stage.plain.records.tables.actions[0]!
  action.title = 'Renamed by Ben'
  stage.network = stage.answer
  tab.wake()
  await sentAll(tab)
  expect(action).toMatchObject({ status: 'done', title: 'Renamed by Ben' })
})

test('an edit whose answer was lost is done when the record has its values', async () => {
  const stage = new PlainFixture()
  const tab = await editOffline(stage, 'updateAccount', '1', { name: 'Ours' })
  let lost = 0
  stage.network = (request) => {
    const answer = stage.answer(request)
    if (request.method !== 'PUT') return answer
    lost += 1
    throw new Error('The answer is lost.')
  }
  tab.wake()
  await sentAll(tab)
  expect([lost, account(stage).name]).toEqual([1, 'Ours'])
  stage.network = stage.answer
})

test('an edit of a removed record needs attention', async () => {
  const stage = new PlainFixture()
  const tab = await editOffline(stage, 'updateAccount', '1', { name: 'Ours' })
  stage.plain.records.tables.accounts.shift()
  stage.network = stage.answer
  tab.wake()
  await waitFor(async () =>
    expect((await tab.outbox.all())[0]).toMatchObject({
      state: 'attention',
      last_error: { status: 404 },
    }),
  )
  expect(puts(stage)).toEqual([])
})

test('a server without a call that deletes has not deleted the record', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.network = (request) =>
    request.method === 'DELETE'
      ? { status: 404, headers: { 'content-type': 'application/json' }, text: '{"message":"No."}' }
      : stage.answer(request)
  await tab.enqueue('deleteAccount', { path: { id: '1' }, body: { name: 'Account 1' } })
  await waitFor(async () =>
    expect((await tab.outbox.all())[0]).toMatchObject({
      state: 'attention',
      last_error: { status: 404 },
    }),
  )
  expect((await stored(tab, 'accounts')).map(({ id }) => id)).toContain('1')
})

test('a deletion that is repeated after its answer was lost is done', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  let deletions = 0
  stage.network = (request) => {
    const answer = stage.answer(request)
    if (request.method === 'DELETE' && (deletions += 1) === 1) throw new Error('It is lost.')
    return answer
  }
  await tab.enqueue('deleteAccount', { path: { id: '1' }, body: { name: 'Account 1' } })
  await sentAll(tab)
  expect(deletions).toBe(2)
  expect(stage.plain.seen('DELETE', /accounts/).map(({ status }) => status)).toEqual([204, 404])
})

test('integers that JavaScript cannot hold are written back as they came', async () => {
  const stage = new PlainFixture({ ids: 'large-integers' })
  const { id } = account(stage)
  const tab = await editOffline(stage, 'updateAccount', id, { name: 'Ours' })
  stage.network = stage.answer
  tab.wake()
  await sentAll(tab)
  expect(stage.requests.find(({ method }) => method === 'PUT')?.body).toContain(`"id":${id}`)
})

test('a text that the server has cleaned up is no edit of another person', async () => {
  const stage = new PlainFixture({ text: 'sanitised' })
  const tab = await stage.readTab()
  const before = await recordOf(tab, 'accounts', '1')
  const edit = (notes: string, seen: object) =>
    tab.enqueue('updateAccount', { path: { id: '1' }, body: { notes } }, { ...before, ...seen })
  const first = 'Call <b>Ann</b>  &  Ben.'
  await edit(first, {})
  await stage.settled(tab)
  // The screen still shows what was typed, or what was there before it.
  await edit('Call Ben.', { notes: first })
  await stage.settled(tab)
  expect(account(stage).notes).toBe('Call Ben.')
  await edit('Call <i>Cleo</i>.', { notes: 'Call Ben.' })
  await stage.settled(tab)
  await edit('Call Dan.', {})
  await stage.settled(tab)
  expect(await tab.outbox.all()).not.toContainEqual(expect.objectContaining({ state: 'attention' }))
  expect(account(stage).notes).toBe('Call Dan.')
})

test('an edit that is sent at once keeps other fields, at a server whose PUT replaces the record', async () => {
  const stage = new PlainFixture({ put: 'replaces' })
  const tab = await stage.readTab()
  const north = stage.plain.records.tables.organisations[0]!
  Object.assign(north, { website: 'https://north.example', legal_form: 'AG' })
  const input = { path: { id: north.id }, body: { name: 'North Sea' } }
  const outcome = await tab.call(product.calls['updateOrganisation']!, input)
  expect(outcome).toMatchObject({ kind: 'answered', value: { name: 'North Sea' } })
  expect(north).toMatchObject({ website: 'https://north.example', currency: 'USD' })
  const [sent] = stage.plain.seen('PUT', /organisations\/1$/)
  expect(JSON.parse(sent?.body ?? '')).toMatchObject({ id: 1, legal_form: 'AG' })

  // Where the record cannot be read, nothing is sent.
  stage.plain.refuse({ method: 'GET', path: /organisations\/1$/ }, 503)
  expect(await tab.call(product.calls['updateOrganisation']!, input)).toMatchObject({
    kind: 'busy',
  })
  expect(stage.plain.seen('PUT', /organisations\/1$/)).toHaveLength(1)
})

test('an edit that is sent at once names only its changes where the server takes them', async () => {
  const stage = new PlainFixture({ capabilities: 'partial' })
  const tab = await stage.readTab()
  const input = { path: { id: '1' }, body: { name: 'North Sea' } }
  await tab.call(product.calls['updateOrganisation']!, input)
  const [sent] = stage.plain.seen('PUT', /organisations\/1$/)
  expect(JSON.parse(sent?.body ?? '')).toEqual({ name: 'North Sea' })
  expect(stage.plain.seen('GET', /organisations\/1$/)).toEqual([])
})

test.for<PlainOptions['lists']>(['list', 'map', 'nested'])(
  'a record that only a list has is sent whole: %s',
  async (lists) => {
    const stage = new PlainFixture({ put: 'replaces', lists })
    const tab = await stage.readTab()
    await tab.enqueue('updateAction', { body: { id: '1', status: 'done' } })
    await stage.settled(tab)
    const [action] = stage.plain.records.tables.actions
    expect(action).toMatchObject({ status: 'done', title: 'First action', success_plan_id: '1' })
  },
)

const UNREADABLE = [
  ['updateAction', 'actions', { title: 'Ours' }],
  ['updateAccount', 'accounts', { name: 'Ours' }],
  ['updateSuccessPlan', 'success-plans', { title: 'Ours' }],
] as const

test.for(UNREADABLE)(
  'an edit of a record that cannot be read now waits until it can: what is unread is not gone (%s)',
  async ([call, table, body]) => {
    const stage = new PlainFixture()
    const tab = await editOffline(stage, call, '1', body)
    stage.plain.options.oddities = { 'null-titles': 'first' }
    stage.network = stage.answer
    tab.wake()
    await waitFor(async () => {
      const [edit] = await tab.outbox.all()
      // After the first attempt already: the server is there, so one right away would see the same.
      expect(edit).toMatchObject({ state: 'pending', attempts: 1 })
      expect(edit!.not_before).toBeGreaterThan(edit!.attempt?.at ?? Infinity)
    })
    stage.plain.options.oddities = {}
    await stage.settled(tab)
    // It leaves the device when a pull has shown it.
    expect((await tab.outbox.all()).filter(({ state }) => state !== 'acknowledged')).toEqual([])
    expect(stage.plain.records.tables[table][0]).toMatchObject(body)
  },
)

test.for([...UNREADABLE, ['deleteAccount', 'accounts', { title: 'It' }] as const])(
  'where the record stays unreadable the author learns that nothing was sent (%s)',
  async ([call, , body]) => {
    const stage = new PlainFixture()
    const tab = await editOffline(stage, call, '1', body)
    stage.plain.options.oddities = { 'null-titles': 'first' }
    stage.network = stage.answer
    await stage.settled(tab)
    expect(await tab.outbox.all()).toMatchObject([
      { state: 'attention', attempts: 8, last_error: { code: 'unreadable' } },
    ])
    expect(stage.plain.requests.filter(({ method }) => /PUT|PATCH|DELETE/.test(method))).toEqual([])
  },
)

test('a note goes with its change, though someone else has made the same change before', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const seen = await recordOf(tab, 'success_plans', '1')
  stage.plain.records.tables['success-plans'][0]!.status = 'paused'
  const body = { status: 'paused', note: 'They asked for a break.' }
  await tab.enqueue('updateSuccessPlan', { path: { id: '1' }, body }, seen)
  await stage.settled(tab)
  const sent = stage.plain.seen('PATCH', /success-plans/)
  expect(sent.map((one) => JSON.parse(one.body ?? '') as object)).toEqual([body])
})

test('a value that was sent to the record of the same id in another organisation is asked about', async () => {
  const stage = new PlainFixture()
  const { tables } = stage.plain.records
  const tab = await stage.readTab()
  await tab.enqueue('updateAction', { body: { id: '1', status: 'done' } })
  await waitFor(async () => {
    tab.wake()
    expect(await tab.outbox.all()).toEqual([])
  })
  // Each organisation counts for itself.
  const south = stage.plain.addOrganisation(stage.plain.users[0]!, 'South')
  const action = { ...tables.actions[0]!, organisation_id: south.id, status: 'todo' }
  tables.actions.push(action)
  await tab.session.update('1', { active_organisation: { id: south.id } })
  await tab.pullScheduler.pullAgain()
  const seen = await recordOf(tab, 'actions', '1')
  stage.network = offline
  await tab.enqueue('updateAction', { body: { id: '1', status: 'cancelled' } }, seen)
  action.status = 'done'
  stage.network = stage.answer
  tab.wake()
  await sentAll(tab)
  expect((await tab.outbox.all())[0]?.conflict).toMatchObject({ fields: ['status'] })
  expect(action.status).toBe('done')
})

test('an edit is compared when the server gives up its versions in the reading right before it', async () => {
  const stage = new PlainFixture({ capabilities: 'versions', put: 'replaces' })
  const tab = await editOffline(stage, 'updateAccount', '1', { name: 'Ours' })
  account(stage).name = 'Theirs'
  stage.network = (request) => {
    if (request.method === 'GET' && request.url.endsWith('/accounts/1'))
      stage.plain.options.capabilities = ''
    return stage.answer(request)
  }
  tab.wake()
  await waitFor(async () =>
    expect((await tab.outbox.all())[0]?.conflict).toMatchObject({ theirs: { name: 'Theirs' } }),
  )
  expect(account(stage).name).toBe('Theirs')
  expect(puts(stage)).toEqual([])
})

/** The device is offline with a change of an action that a deletion of another moves to a page that was read before. */
async function movedWhileRead(endpoint: 'updateAction' | 'deleteAction', failures = 0) {
  const stage = new PlainFixture({ pageSize: 2, perPage: 'ignored' })
  const { actions } = stage.plain.records.tables
  const [action] = actions
  for (const id of ['901', '902', '903']) actions.push({ ...action!, id, title: id })
  const moved = actions[2]!
  const tab = await editOffline(stage, endpoint, moved.id, { title: 'Ours' })
  const isList = ({ method, url }: { method: string; url: string }) =>
    method === 'GET' && /\/actions(\?|$)/.test(url)
  let left = failures
  let isDeleted = false
  const network: typeof stage.network = (request) => {
    if (isList(request) && left-- > 0)
      return { status: 500, headers: { 'content-type': 'application/json' }, text: '{}' }
    const answer = stage.answer(request)
    if (isDeleted || !isList(request)) return answer
    isDeleted = true
    actions.shift()
    return answer
  }
  return { stage, tab, moved, actions: () => stage.plain.records.tables.actions, network }
}

test.for([0, 1])(
  'a record that another deletion moves to a page that was read before is not taken for deleted, after %i failed readings',
  async (failures) => {
    const { stage, tab, moved, network } = await movedWhileRead('updateAction', failures)
    stage.network = network
    tab.wake()
    await stage.settled(tab)
    expect((await tab.outbox.all()).map(({ state }) => state)).not.toContain('attention')
    expect(moved.title).toBe('Ours')
  },
)

test('a deletion is made, although its record moved to a page that was read before after a reading that failed', async () => {
  const { stage, tab, moved, actions, network } = await movedWhileRead('deleteAction', 1)
  stage.network = network
  tab.wake()
  await stage.settled(tab)
  expect(actions().map(({ id }) => id)).not.toContain(moved.id)
})

test('an edit that was taken without its record is not missing when it moves to a page that was read before', async () => {
  const { stage, tab, moved, network } = await movedWhileRead('updateAction')
  stage.plain.options.writes = 'empty'
  // The reading before the edit is whole; the one after it is not.
  stage.network = (request, answer) =>
    moved.title === 'Ours' ? network(request, answer) : stage.answer(request)
  tab.wake()
  await stage.settled(tab)
  expect((await tab.outbox.all()).map(({ state }) => state)).not.toContain('attention')
})

test('fields that a record does not show are sent after a reading that was lost', async () => {
  const stage = new PlainFixture()
  const mine = { renewal_date: '2030-01-31', renewal_outcome: 'renewed' }
  const tab = await editOffline(stage, 'updateAccount', '1', mine)
  let isLost = false
  stage.network = (request) => {
    if (isLost || !request.url.endsWith('/accounts/1')) return stage.answer(request)
    isLost = true
    throw new TypeError('Failed to fetch')
  }
  account(stage)['renewal_date'] = mine.renewal_date
  tab.wake()
  await stage.settled(tab)
  expect(puts(stage)).toHaveLength(1)
})

test('an edit waits for as long as the tokens cannot be refreshed', async () => {
  const stage = new PlainFixture({ capabilities: 'keys' })
  const tab = await editOffline(stage, 'updateAccount', '1', { name: 'Ours' })
  stage.plain.tokens.expireAll()
  const end = stage.plain.refuse({ path: /oauth\/token/ }, 403)
  stage.network = stage.answer
  // More often than a record that cannot be read is asked for.
  await waitFor(() => {
    stage.aheadMs += 120_000
    tab.wake()
    expect(stage.plain.seen('GET', /accounts\/1$/).length).toBeGreaterThan(10)
  })
  expect((await tab.outbox.all())[0]).toMatchObject({ state: 'pending' })
  end()
  await stage.settled(tab)
  expect(account(stage).name).toBe('Ours')
})
