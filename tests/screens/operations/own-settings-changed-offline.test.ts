// @vitest-environment jsdom
// Several changes of a user's own settings, made without a network, overwrite or overtake each other.
import { afterEach, beforeAll, expect, test } from 'vitest'
import { createRecord } from '../../../src/data/change-records.ts'
import { editConsents, editProfile, withProfile } from '../../../src/data/profile.ts'
import { applyOwnOperations } from '../../../src/data/queue-own-change.ts'
import type { User } from '../../../contract/schemas/people.ts'
import { sync } from '../../../src/sync/client.ts'
import type { Operation } from '../../../src/sync/core/operation.ts'
import { emptyOutbox, openOffline, rejectOperation } from '../fixtures/offline-client.ts'

beforeAll(openOffline)
afterEach(emptyOutbox)

const queued = () =>
  sync()
    .operations.get()
    .map(({ endpoint, input, state }) => ({ endpoint, body: input.body, state }))

test('two changes made at once are one request with both', async () => {
  await Promise.all([editProfile({ name: 'Ann B.' }), editProfile({ timezone: 'Europe/Vienna' })])
  expect(queued()).toEqual([
    {
      endpoint: 'updateUserinfo',
      body: { name: 'Ann B.', timezone: 'Europe/Vienna' },
      state: 'pending',
    },
  ])
})

test('a later change of one consent keeps the earlier ones', async () => {
  await editConsents({ email: { plan_update: false } })
  await editConsents({ push: { action_due: true }, email: { product_news: true } })
  await editConsents({ due_lead_days: 3 })
  expect(queued()).toEqual([
    {
      endpoint: 'updateNotificationConsents',
      body: {
        email: { plan_update: false, product_news: true },
        push: { action_due: true },
        due_lead_days: 3,
      },
      state: 'pending',
    },
  ])
})

test('a change corrects the rejected one, not one that may have arrived', async () => {
  await editProfile({ name: '' })
  const [first] = sync().operations.get()
  await rejectOperation(first?.id ?? '')
  await editProfile({ name: 'Ann' })
  expect(queued()).toEqual([
    { endpoint: 'updateUserinfo', body: { name: 'Ann' }, state: 'pending' },
  ])
  const engine = await sync().engine()
  await engine.outbox.claim(
    sync()
      .operations.get()
      .map(({ id }) => id),
  )
  await engine.outboxChanged()
  await editProfile({ name: 'Ann C.' })
  expect(queued().map(({ body }) => body)).toEqual([{ name: 'Ann' }, { name: 'Ann C.' }])
})

test('a change is also made behind a waiting one of the same field, which would replace its correction', async () => {
  await editProfile({ name: '' })
  const engine = await sync().engine()
  await engine.outbox.claim(
    sync()
      .operations.get()
      .map(({ id }) => id),
  )
  await editProfile({ name: 'Ann E.' })
  const [first] = sync().operations.get()
  await rejectOperation(first?.id ?? '')
  await editProfile({ name: 'Ann F.' })
  expect(queued().map(({ body }) => body)).toEqual([
    { name: 'Ann F.' },
    { name: 'Ann E.' },
    { name: 'Ann F.' },
  ])
})

test('a change leaves other work and other users’ changes alone', async () => {
  await createRecord('accounts', { name: 'Acme' })
  const engine = await sync().engine()
  await engine.outbox.enqueue({
    endpoint: 'updateUserinfo',
    input: { body: { name: 'Ben' } },
    user_id: 'ben',
    organisation_id: null,
  })
  await engine.outboxChanged()
  await editProfile({ name: 'Ann D.' })
  expect(queued()).toMatchObject([
    { endpoint: 'createAccount', body: { name: 'Acme' } },
    { endpoint: 'updateUserinfo', body: { name: 'Ben' } },
    { endpoint: 'updateUserinfo', body: { name: 'Ann D.' } },
  ])
})

test('an edit without changes queues nothing', async () => {
  await editProfile({})
  expect(queued()).toEqual([])
})

test('the profile shows pending and confirmed changes in order, not rejected ones', () => {
  const user = { id: 'ann', name: 'Ann', timezone: 'UTC' } as User
  const change = (body: object, more: Partial<Operation> = {}) =>
    ({ state: 'pending', input: { body }, ...more }) as Operation
  expect(
    applyOwnOperations(
      user,
      [
        change(
          { name: 'First' },
          { state: 'acknowledged', answer: { ...user, name: 'Confirmed' } },
        ),
        change({ name: 'Rejected', timezone: 'No/Where' }, { state: 'attention' }),
        change({ timezone: 'Europe/Vienna' }),
      ],
      withProfile,
    ),
  ).toEqual({ id: 'ann', name: 'Confirmed', timezone: 'Europe/Vienna' })
})
