import { expect, test } from 'vitest'
import * as v from 'valibot'
import { recordSchemas } from '../../../contract/resource-schemas.ts'
import { overlayAccounts } from '../../../src/data/accounts.ts'
import { overlayActions } from '../../../src/data/actions.ts'
import { overlayInitiatives } from '../../../src/data/initiatives.ts'
import { overlayPlans } from '../../../src/data/success-plans/overlay.ts'
import { operationWith, PLAN_ID } from '../fixtures/record-fixtures.ts'

test.each([
  ['accounts', 'createAccount', { name: 'Quay Foods' }, overlayAccounts],
  ['actions', 'createAction', { title: 'Book the room' }, overlayActions],
  ['initiatives', 'createInitiative', { title: 'Pilot' }, overlayInitiatives],
  ['success_plans', 'createSuccessPlan', { title: 'Roll out' }, overlayPlans],
] as const)(
  'a new record of %s has all fields before the server answers',
  (resource, endpoint, body, overlay) => {
    const creation = operationWith({ endpoint, input: { body: { id: PLAN_ID, ...body } } })
    const [created] = overlay([], [creation])
    expect(created).toEqual(v.parse(recordSchemas[resource], created))
    expect(created).toMatchObject({ ...body, id: PLAN_ID, created_by: 'ada', version: 0 })
  },
)

test('a new plan is planned and belongs to its author', () => {
  const input = { body: { id: PLAN_ID, title: 'Roll out' } }
  expect(overlayPlans([], [operationWith({ endpoint: 'createSuccessPlan', input })])).toMatchObject(
    [{ status: 'planned', owner_id: 'ada', type: 'customer', progress_mode: 'manual' }],
  )
})
