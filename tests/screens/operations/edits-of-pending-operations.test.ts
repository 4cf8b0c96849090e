// @vitest-environment jsdom
// An edit of something that has not been sent becomes a request of its own, replaces more than it should, or is
// based on another record than its author saw.
import { afterEach, beforeAll, expect, test } from 'vitest'
import { createRecord, editRecord } from '../../../src/data/change-records.ts'
import { editAction } from '../../../src/data/edit-action.ts'
import { overlayPlans } from '../../../src/data/success-plans/overlay.ts'
import { recordStates } from '../../../src/data/record-states.ts'
import { discardUnsent } from '../../../src/sync/enqueue-all.ts'
import { sync } from '../../../src/sync/client.ts'
import { emptyOutbox, openOffline, rejectOperation } from '../fixtures/offline-client.ts'
import { accountWith, actionWith, initiativeWith, planWith } from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)
afterEach(emptyOutbox)

const queued = () =>
  sync()
    .operations.get()
    .map(({ endpoint, input, state }) => ({ endpoint, ...input, state }))

test('an edit of a record that was never sent becomes part of its creation', async () => {
  const id = await createRecord('accounts', { name: 'Acme', website: 'https://acme.test' })
  await editRecord('accounts', accountWith({ id }), { name: 'Acme GmbH', tier: 'strategic' })
  expect(queued()).toEqual([
    {
      endpoint: 'createAccount',
      body: { id, name: 'Acme GmbH', website: 'https://acme.test', tier: 'strategic' },
      state: 'pending',
    },
  ])
})

test('an edit that can be undone is queued behind the creation, and its undo leaves that as it was', async () => {
  const { id } = planWith()
  await createRecord('success_plans', { title: 'Pilot', type: 'project' }, undefined, id)
  const edit = { end_date: '2026-12-31' }
  const step = await editRecord('success_plans', planWith({ id }), edit, { delayMs: 8_000 })
  const operations = sync().operations.get()
  expect(operations).toMatchObject([
    { endpoint: 'createSuccessPlan', not_before: 0 },
    { id: step, endpoint: 'updateSuccessPlan', depends_on: [operations[0]?.id] },
  ])
  expect(overlayPlans([], operations)).toMatchObject([{ id, title: 'Pilot', ...edit }])
  await discardUnsent([step ?? ''])
  expect(queued()).toEqual([
    {
      endpoint: 'createSuccessPlan',
      body: { id, title: 'Pilot', type: 'project' },
      state: 'pending',
    },
  ])
})

test('an edit is queued behind another change of the same field of an unsent record, which would replace it', async () => {
  const { id } = planWith()
  await createRecord('success_plans', { title: 'Pilot', type: 'project' }, undefined, id)
  await editRecord(
    'success_plans',
    planWith({ id }),
    { end_date: '2026-12-31' },
    { delayMs: 8_000 },
  )
  await editRecord('success_plans', planWith({ id }), { end_date: '2027-01-31' })
  // What nothing else sets is still merged: a template, for example, has to be in the creation.
  await editRecord('success_plans', planWith({ id }), { title: 'Roll-out' })
  expect(overlayPlans([], sync().operations.get())).toMatchObject([{ end_date: '2027-01-31' }])
  expect(queued()).toMatchObject([
    { body: { title: 'Roll-out' } },
    { body: { end_date: '2026-12-31' } },
    { body: { end_date: '2027-01-31' } },
  ])
})

test('an edit corrects a rejected creation, whatever waits behind it', async () => {
  const { id } = planWith()
  await createRecord('success_plans', { title: 'No', type: 'project' }, undefined, id)
  await editRecord(
    'success_plans',
    planWith({ id }),
    { end_date: '2026-12-31' },
    { delayMs: 8_000 },
  )
  await rejectOperation(sync().operations.get()[0]?.id ?? '')
  await editRecord('success_plans', planWith({ id }), { title: 'Pilot' })
  expect(queued()).toMatchObject([
    { endpoint: 'createSuccessPlan', body: { title: 'Pilot' }, state: 'pending' },
    { endpoint: 'updateSuccessPlan', body: { end_date: '2026-12-31' } },
  ])
})

test('a field that a waiting edit sets is set again behind it when the rejected creation is corrected', async () => {
  const { id } = planWith()
  await createRecord('success_plans', { title: 'No', type: 'project' }, undefined, id)
  const plan = planWith({ id })
  await editRecord('success_plans', plan, { end_date: '2026-12-31' }, { delayMs: 8_000 })
  await rejectOperation(sync().operations.get()[0]?.id ?? '')
  await editRecord('success_plans', plan, { title: 'Pilot', end_date: '2027-01-31' })
  expect(overlayPlans([], sync().operations.get())).toMatchObject([{ end_date: '2027-01-31' }])
  expect(queued().map(({ body }) => body)).toEqual([
    // Its own value may be what was rejected.
    { id, title: 'Pilot', type: 'project', end_date: '2027-01-31' },
    { end_date: '2026-12-31' },
    { end_date: '2027-01-31' },
  ])
})

test('a field that a waiting edit sets is set again behind it when a rejected edit is corrected', async () => {
  const plan = planWith()
  await editRecord('success_plans', plan, { title: 'No', description: 'First' })
  await editRecord('success_plans', plan, { description: 'Second' }, { delayMs: 8_000 })
  await rejectOperation(sync().operations.get()[0]?.id ?? '')
  const [rejected] = sync().operations.get()
  const correction = { title: 'Better', description: 'Third' }
  await editRecord('success_plans', plan, correction, { rejected })
  expect(queued()).toMatchObject([
    { body: correction, state: 'pending' },
    { body: { description: 'Second' } },
    { body: { description: 'Third' } },
  ])
})

test('a correction leaves alone what was set before it', async () => {
  const plan = planWith()
  await editRecord('success_plans', plan, { description: 'First' }, { delayMs: 8_000 })
  await editRecord('success_plans', plan, { description: 'No' })
  await rejectOperation(sync().operations.get()[1]?.id ?? '')
  const [, rejected] = sync().operations.get()
  await editRecord('success_plans', plan, { description: 'Second' }, { rejected })
  expect(queued().map(({ body }) => body)).toEqual([
    { description: 'First' },
    { description: 'Second' },
  ])
})

test('an edit that a creation may not contain is queued behind it', async () => {
  const id = await createRecord('initiatives', { title: 'Pilot', success_plan_id: planWith().id })
  await editRecord('initiatives', initiativeWith({ id }), { status: 'paused' })
  expect(queued()).toMatchObject([
    { endpoint: 'createInitiative', body: { title: 'Pilot' } },
    { endpoint: 'updateInitiative', path: { id }, body: { status: 'paused' } },
  ])
})

test('an edit is queued behind a creation whose attempt the server may have received', async () => {
  const id = await createRecord('accounts', { name: 'Acme' })
  const engine = await sync().engine()
  await engine.outbox.claim(
    sync()
      .operations.get()
      .map((one) => one.id),
  )
  await engine.outboxChanged()
  await editRecord('accounts', accountWith({ id }), { name: 'Acme GmbH' })
  expect(queued()).toMatchObject([
    { endpoint: 'createAccount', body: { name: 'Acme' } },
    { endpoint: 'updateAccount', path: { id }, body: { name: 'Acme GmbH' } },
  ])
})

test('an edit leaves the creation of another record as it is', async () => {
  const id = await createRecord('accounts', { name: 'Acme' })
  await editRecord('accounts', accountWith({ id: 'other' }), { name: 'Other' })
  expect(queued()).toMatchObject([
    { endpoint: 'createAccount', body: { id, name: 'Acme' } },
    { endpoint: 'updateAccount', path: { id: 'other' }, body: { name: 'Other' } },
  ])
})

test('an edit without changes queues nothing', async () => {
  await editRecord('accounts', accountWith(), {})
  expect(queued()).toEqual([])
})

test('an edit is based on the record as its author saw it', async () => {
  await editRecord('success_plans', planWith({ version: 7, title: 'Seen' }), { title: 'Edited' })
  expect(sync().operations.get()).toMatchObject([
    { base: { version: 7, fields: { title: 'Seen' } }, input: { body: { title: 'Edited' } } },
  ])
})

test('a corrected edit takes the place of the rejected one', async () => {
  const plan = planWith()
  await editRecord('success_plans', plan, { title: 'No', description: 'Yes' })
  await editRecord('accounts', accountWith(), { name: 'Later' })
  const [first] = sync().operations.get()
  await rejectOperation(first?.id ?? '')
  const [rejected] = sync().operations.get()
  await editRecord('success_plans', plan, { title: 'Better' }, { rejected })
  expect(queued()).toMatchObject([
    { endpoint: 'updateSuccessPlan', body: { title: 'Better' }, state: 'pending' },
    { endpoint: 'updateAccount', state: 'pending' },
  ])
  expect(queued()[0]?.body).toEqual({ title: 'Better' })
})

test('a correction of an edit that is gone is queued as a new edit', async () => {
  const plan = planWith()
  await editRecord('success_plans', plan, { title: 'No' })
  const [first] = sync().operations.get()
  await rejectOperation(first?.id ?? '')
  const [rejected] = sync().operations.get()
  await sync().outbox.discard(first?.id ?? '')
  await editRecord('success_plans', plan, { title: 'Better' }, { rejected })
  expect(queued()).toMatchObject([{ endpoint: 'updateSuccessPlan', body: { title: 'Better' } }])
})

test('an action gets the time of its completion when it is done, and only then', async () => {
  const before = Date.now()
  await editAction(actionWith({ id: 'one' }), { status: 'done' })
  await editAction(actionWith({ id: 'two' }), { status: 'in-progress' })
  const [done, begun] = queued().map(({ body }) => body as Record<string, unknown>)
  expect(done).toMatchObject({ id: 'one', status: 'done' })
  expect(Date.parse(String(done?.completed_at))).toBeGreaterThanOrEqual(before)
  expect(begun).toEqual({ id: 'two', status: 'in-progress' })
})

test('a record shows the most severe state of its operations, and what blocks it', async () => {
  const account = await createRecord('accounts', { name: 'invalid' })
  const plan = await createRecord('success_plans', {
    title: 'Pilot',
    type: 'customer',
    account_id: account,
  })
  await editRecord('success_plans', planWith({ id: 'free' }), { title: 'Free' })
  const [creation] = sync().operations.get()
  await rejectOperation(creation?.id ?? '')
  await editRecord('accounts', accountWith({ id: account }), { name: 'behind' }, undefined)
  const states = recordStates(sync().operations.get())
  expect(Object.fromEntries(states)).toEqual({
    [`accounts ${account}`]: { kind: 'waiting' },
    [`success_plans ${plan}`]: { kind: 'waiting' },
    'success_plans free': { kind: 'waiting' },
  })
  // The edit became part of the rejected creation; rejected once more, it blocks the plan.
  const [again] = sync().operations.get()
  await rejectOperation(again?.id ?? '')
  expect(Object.fromEntries(recordStates(sync().operations.get()))).toEqual({
    [`accounts ${account}`]: { kind: 'attention' },
    [`success_plans ${plan}`]: { kind: 'blocked', by: 'accounts' },
    'success_plans free': { kind: 'waiting' },
  })
})
