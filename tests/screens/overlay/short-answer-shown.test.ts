// A server answers a write with a part of the record: the rest vanished from the screen until the next download.
import { expect, test } from 'vitest'
import { overlayAccounts } from '../../../src/data/accounts.ts'
import { overlayPlans, overlayUpdates } from '../../../src/data/success-plans/overlay.ts'
import { accountWith, operationWith, PLAN_ID, planWith } from '../fixtures/record-fixtures.ts'

const arrived = (endpoint: string, input: object, answer: object) =>
  operationWith({ endpoint, input, state: 'acknowledged', answer })

test('an edit leaves what its answer does not name, and shows what it asked for', () => {
  const known = planWith({ description: 'Pumps.', owner_id: 'ben', version: 0 })
  const body = { title: 'Dry feet', health: 'at-risk' }
  const edit = arrived(
    'updateSuccessPlan',
    { path: { id: PLAN_ID }, body },
    { id: PLAN_ID, title: 'Dry' },
  )
  expect(overlayPlans([known], [edit])).toMatchObject([
    { description: 'Pumps.', owner_id: 'ben', title: 'Dry', health: 'at-risk' },
  ])
})

test('a new record has what was asked for, under the id of the answer', () => {
  const body = { id: 'local', name: 'Flood Co', industry: 'Water' }
  const create = arrived('createAccount', { body }, { id: '4', name: 'Flood' })
  expect(overlayAccounts([], [create])).toEqual([
    { ...overlayAccounts([], [{ ...create, state: 'pending' }])[0], id: '4', name: 'Flood' },
  ])
  expect(overlayAccounts([accountWith({ id: '4', name: 'Later' })], [create]).at(-1)).toMatchObject(
    {
      id: '4',
    },
  )
})

test('an update has its text and its time', () => {
  const body = { id: 'local', body: 'They signed.', written_at: '2026-03-03T10:00:00.000Z' }
  const post = arrived('postPlanUpdate', { path: { id: PLAN_ID }, body }, { id: '900' })
  expect(overlayUpdates(PLAN_ID, [], [post])).toMatchObject([
    { update: { id: '900', body: 'They signed.', written_at: body.written_at } },
  ])
})
