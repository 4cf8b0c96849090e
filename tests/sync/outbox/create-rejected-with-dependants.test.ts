import { expect, onTestFinished, test } from 'vitest'
import { sendableOperations } from '../../../src/sync/core/replay/sendable.ts'
import { Outbox } from '../../../src/sync/core/outbox.ts'
import { product } from '../../../src/app/boot/product.ts'
import { EngineFixture, postUpdate, waitFor } from '../engine-fixture.ts'

test('holds a plan until its account is accepted', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const account = await tab.enqueue('createAccount', { body: { id: 'a-1', name: 'invalid name' } })
  const plan = { id: 'p-1', title: 'Onboarding', account_id: 'a-1' }
  await tab.enqueue('createSuccessPlan', { body: plan })
  await postUpdate(tab, 'Kick-off held', 'p-1')
  await postUpdate(tab, 'Elsewhere', 'north-2')
  await waitFor(() => expect(stage.storedTexts).toEqual(['Elsewhere']))
  await waitFor(async () => {
    const states = (await tab.outbox.all()).map(({ state }) => state)
    expect(states.filter((state) => state !== 'acknowledged')).toEqual([
      'attention',
      'pending',
      'pending',
    ])
  })
  expect(stage.requests.filter(({ body }) => body?.includes('p-1'))).toEqual([])

  await tab.outbox.edit(account.id, { id: 'a-1', name: 'Acme' })
  await tab.outboxChanged()
  const all = ['Elsewhere', 'Acme', 'Onboarding', 'Kick-off held']
  await waitFor(() => expect(stage.storedTexts).toEqual(all))
})

test('follows the plan’s present account when the plan is edited', async () => {
  const outbox = new Outbox(new EngineFixture().ports())
  const ann = { user_id: 'ann', organisation_id: 'north' }
  const account = (id: string) =>
    outbox.enqueue({ ...ann, endpoint: 'createAccount', input: { body: { id, name: id } } })
  const first = await account('a-1')
  const body = { id: 'p-1', title: 'Onboarding', account_id: 'a-1' }
  const plan = await outbox.enqueue({ ...ann, endpoint: 'createSuccessPlan', input: { body } })
  expect(plan.depends_on).toEqual([first.id])
  const second = await account('a-2')
  const edited = await outbox.edit(plan.id, { ...body, account_id: 'a-2' })
  expect(edited?.depends_on).toEqual([second.id])
})

test('sends a plan in a lane of its own only after its corrected account', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const outbox = new Outbox(stage.ports())
  const ann = { user_id: 'ann', organisation_id: 'north' }
  const draft = { id: 'a-1', name: 'invalid name' }
  const account = await outbox.enqueue({
    ...ann,
    endpoint: 'createAccount',
    input: { body: draft },
  })
  const body = { id: 'p-1', title: 'Onboarding', account_id: 'a-1' }
  const plan = await outbox.enqueue({ ...ann, endpoint: 'createSuccessPlan', input: { body } })
  expect(plan.lane).not.toBe(account.lane)
  await outbox.reject(account.id, { status: 422, message: 'That is not valid.' })

  const corrected = await outbox.edit(account.id, { ...draft, name: 'Acme' })
  const sendable = async () =>
    sendableOperations(await outbox.all(), Date.now(), product.calls).map(
      ({ endpoint }) => endpoint,
    )
  expect(await sendable()).toEqual(['createAccount'])
  await outbox.acknowledge(corrected?.id ?? '', { ...draft, name: 'Acme', version: 1 })
  expect(await sendable()).toEqual(['createSuccessPlan'])
})

test('sends an independent operation that waits behind a held one in its lane', async () => {
  const outbox = new Outbox(new EngineFixture().ports())
  const ann = { user_id: 'ann', organisation_id: 'north' }
  const account = await outbox.enqueue({
    ...ann,
    endpoint: 'createAccount',
    input: { body: { id: 'a-1', name: 'invalid name' } },
  })
  const plan = (fields: object) => ({
    ...ann,
    endpoint: 'updateSuccessPlan',
    input: { path: { id: 'north-1' }, body: fields },
    seen: { id: 'north-1', version: 1 },
  })
  const held = await outbox.enqueue(plan({ account_id: 'a-1' }))
  expect(held.depends_on).toEqual([account.id])
  const independent = await outbox.enqueue(plan({ title: 'Renewal' }))
  expect(independent.lane).toBe(held.lane)
  await outbox.reject(account.id, { status: 422, message: 'That is not valid.' })
  const sendable = sendableOperations(await outbox.all(), Date.now(), product.calls)
  expect(sendable.map(({ id }) => id)).toEqual([independent.id])
})
