// What goes into a batch, and on which version an edit in it is based.
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { random } from '../../../src/sync/browser/web-ports.ts'
import { BATCH, partsOf } from '../simulation/model/batch.ts'
import { EngineFixture, waitFor } from '../engine-fixture.ts'

afterEach(() => void vi.restoreAllMocks())

async function signedIn() {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const caller = tab.session.caller()
  const north = stage.server.tenants.get('north')
  if (!caller || !north) throw new Error('No one is signed in.')
  const note = (id: string, text: string, delayMs?: number) => ({
    ...caller,
    endpoint: 'postPlanUpdate',
    input: { path: { id }, body: { id: random.id(), body: text } },
    ...(delayMs !== undefined && { delayMs }),
  })
  const plan = () => ({ ...north.records.success_plans.get('north-1') })
  const edit = (body: object, seen: object = plan()) => ({
    ...caller,
    endpoint: 'updateSuccessPlan',
    input: { path: { id: 'north-1' }, body },
    seen: { ...seen },
  })
  const send = async () => {
    stage.requests.length = 0
    await tab.outboxChanged()
  }
  const isEmpty = () => waitFor(async () => expect(await tab.outbox.all()).toEqual([]))
  const batches = () => stage.requests.filter(({ url }) => url === BATCH)
  return { stage, tab, caller, north, note, plan, edit, send, isEmpty, batches }
}

const bodiesOf = (request: { body?: string }) =>
  (JSON.parse(request.body ?? '{}') as { operations: Record<string, unknown>[] }).operations

test('edits of one record are based on each other, and arrive in one request', async () => {
  const { stage, tab, note, plan, edit, send, isEmpty, batches } = await signedIn()
  const seen = plan()
  const edits = [1, 2, 3, 4].map((index) => edit({ title: `Title ${index}` }, seen))
  const stored = await tab.outbox.enqueueAll([
    ...edits.slice(0, 2),
    note('north-1', 'Between them'),
    ...edits.slice(2),
    note('north-2', 'Elsewhere'),
  ])
  await send()
  await isEmpty()
  expect(batches()).toHaveLength(1)
  expect(plan().title).toBe('Title 4')
  const [first, second, , third, fourth] = stored
  const origins = bodiesOf(batches()[0] ?? {}).map(({ key, if_match_from }) => [key, if_match_from])
  expect(origins.slice(0, 5)).toEqual([
    [first?.id, undefined],
    [second?.id, first?.id],
    [stored[2]?.id, undefined],
    [third?.id, second?.id],
    [fourth?.id, third?.id],
  ])
  expect(stage.effects.map(({ set }) => set.title).filter(Boolean)).toEqual([
    'Title 1',
    'Title 2',
    'Title 3',
    'Title 4',
  ])
})

test('a record that is made and edited without a network arrives in one request', async () => {
  const { tab, caller, north, note, send, isEmpty, batches } = await signedIn()
  const id = random.id()
  const draft = { id, title: 'New plan', type: 'project' }
  await tab.outbox.enqueueAll([
    { ...caller, endpoint: 'createSuccessPlan', input: { body: draft } },
  ])
  for (const title of ['Second', 'Third'])
    await tab.outbox.enqueue({
      ...caller,
      endpoint: 'updateSuccessPlan',
      input: { path: { id }, body: { title } },
      seen: { ...draft, version: 0 },
    })
  await tab.outbox.enqueueAll([note(id, 'One'), note(id, 'Two')])
  await send()
  await isEmpty()
  expect(batches()).toHaveLength(1)
  expect(north.records.success_plans.get(id)).toMatchObject({ title: 'Third' })
})

test('what others have changed meanwhile stops its record alone, and is asked about once', async () => {
  const { stage, tab, note, plan, edit, send, batches } = await signedIn()
  const seen = plan()
  stage.server.editPlan('north', 'north-1', { title: 'Bob’s' }, Date.now())
  await tab.outbox.enqueueAll([
    edit({ title: 'Mine' }, seen),
    edit({ description: 'Mine, too' }, seen),
    ...[1, 2, 3, 4].map((index) => note('north-2', `Update ${index}`)),
  ])
  await send()
  await waitFor(async () => {
    const left = await tab.outbox.all()
    expect(left).toMatchObject([{ state: 'attention', conflict: { fields: ['title'] } }])
  })
  expect(plan()).toMatchObject({ title: 'Bob’s', description: 'Mine, too' })
  expect(batches()).toHaveLength(1)
  expect(stage.storedTexts.filter((text) => text.startsWith('Update'))).toHaveLength(4)
})

test('what can still be undone holds what is behind it, and is in no batch', async () => {
  const { stage, tab, note, send, batches } = await signedIn()
  await tab.outbox.enqueueAll([
    ...[1, 2, 3, 4, 5].map((index) => note('north-1', `Update ${index}`)),
    note('north-1', 'Can be undone', 60_000),
    note('north-1', 'Behind it'),
  ])
  await send()
  await waitFor(() => expect(stage.storedTexts).toHaveLength(5))
  expect(partsOf(batches()[0] ?? ({} as never))).toHaveLength(5)
  const left = (await tab.outbox.all()).filter(({ state }) => state === 'pending')
  expect(left.map(({ attempts }) => attempts)).toEqual([0, 0])
})

test('what depends on a record of another lane, and a deletion, wait for the answer', async () => {
  const { stage, tab, caller, note, send, isEmpty, batches } = await signedIn()
  const account = random.id()
  const plan = random.id()
  await tab.outbox.enqueue({
    ...caller,
    endpoint: 'createAccount',
    input: { body: { id: account, name: 'New account' } },
  })
  await tab.outbox.enqueue({
    ...caller,
    endpoint: 'createSuccessPlan',
    input: { body: { id: plan, title: 'Its plan', account_id: account } },
  })
  await tab.outbox.enqueueAll([1, 2, 3, 4].map((index) => note('north-2', `Update ${index}`)))
  await tab.outbox.enqueue({
    ...caller,
    endpoint: 'deleteSuccessPlan',
    input: { path: { id: 'north-2' } },
  })
  await send()
  await isEmpty()
  const texts = partsOf(batches()[0] ?? ({} as never)).map(({ method, body }) => [method, body])
  expect(texts).toHaveLength(5)
  expect(texts.flat().join(' ')).not.toMatch(/Its plan|DELETE/)
  expect(stage.server.tenants.get('north')?.records.success_plans.get(plan)).toBeDefined()
  expect(stage.server.tenants.get('north')?.records.success_plans.get('north-2')).toBeUndefined()
})

test('no request is larger than the server takes', async () => {
  const { stage, tab, note, send, isEmpty, batches } = await signedIn()
  const long = '漢'.repeat(9_000)
  await tab.outbox.enqueueAll(
    Array.from({ length: 60 }, (_, index) => note(`north-${1 + (index % 2)}`, `${index} ${long}`)),
  )
  await send()
  await isEmpty()
  expect(stage.effects).toHaveLength(60)
  expect(batches().length).toBeGreaterThan(3)
  for (const { body = '' } of batches())
    expect(new TextEncoder().encode(body).byteLength).toBeLessThanOrEqual(512 * 1024)
})

test('an attempt that a server without keys may have is looked for, and is in no batch', async () => {
  const { stage, tab, note, send, batches } = await signedIn()
  const stored = await tab.outbox.enqueueAll([
    ...[1, 2, 3, 4, 5].map((index) => note('north-2', `Update ${index}`)),
    note('north-1', 'Perhaps there'),
  ])
  const asked = stored.at(-1)?.id ?? ''
  await tab.outbox.beginAttempt({ id: asked, attempts: 0 }, [])
  await send()
  await waitFor(() => expect(stage.storedTexts).toHaveLength(5))
  const keys = batches().flatMap((request) => bodiesOf(request).map(({ key }) => key))
  expect(keys).toHaveLength(5)
  expect(keys).not.toContain(asked)
})

test('the operations of two organisations are two requests', async () => {
  const { stage, tab, caller, note, send, batches } = await signedIn()
  const south = { ...caller, organisation_id: 'south' }
  const five = [1, 2, 3, 4, 5]
  await tab.outbox.enqueueAll([
    ...five.map((index) => note('north-1', `North ${index}`)),
    ...five.map((index) => ({ ...note('south-1', `South ${index}`), ...south })),
  ])
  await send()
  await waitFor(() => expect(stage.effects).toHaveLength(10))
  const organisations = batches().map(({ headers }) => headers['X-organisation'])
  expect(organisations).toHaveLength(2)
  expect(new Set(organisations)).toEqual(new Set(['north', 'south']))
  for (const { organisation_id, text } of stage.effects)
    expect(text.toLowerCase()).toContain(organisation_id)
})

test('a batch whose tokens were rejected has not been attempted', async () => {
  const { stage, tab, note, send, batches } = await signedIn()
  const headers = { 'content-type': 'application/json' }
  stage.network = ({ url }, answer) =>
    url === BATCH
      ? { status: 401, headers, text: '{"message":"Unauthenticated."}' }
      : url.includes('/oauth/token')
        ? { status: 400, headers, text: '{"error":"invalid_grant"}' }
        : answer()
  await tab.outbox.enqueueAll([1, 2, 3, 4, 5].map((index) => note('north-1', `Update ${index}`)))
  await send()
  await waitFor(() => expect(tab.session.current().session).toBe(null))
  expect(batches()).toHaveLength(1)
  await waitFor(async () =>
    expect((await tab.outbox.all()).map(({ attempts }) => attempts)).toEqual([0, 0, 0, 0, 0]),
  )
})
