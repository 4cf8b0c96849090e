// What a deletion that waits takes off the screens.
import { expect, it } from 'vitest'
import { overlayActions } from '../../../src/data/actions.ts'
import { overlayInitiatives } from '../../../src/data/initiatives.ts'
import { overlayPlans, recalculateFromActions } from '../../../src/data/success-plans/overlay.ts'
import {
  actionWith,
  initiativeWith,
  operationWith,
  PLAN_ID,
  planWith,
} from '../fixtures/record-fixtures.ts'

const deleting = (endpoint: string, id: string, fields = {}) =>
  operationWith({ endpoint, input: { path: { id }, body: { title: 'Gone' } }, ...fields })

const plans = [planWith(), planWith({ id: 'other' })]
const initiatives = [initiativeWith(), initiativeWith({ id: 'i2', success_plan_id: 'other' })]
const actions = [
  actionWith(),
  actionWith({ id: 'loose', initiative_id: null, success_plan_id: PLAN_ID }),
  actionWith({ id: 'kept', initiative_id: 'i2', success_plan_id: 'other' }),
]
const idsOf = (records: readonly { id: string }[]) => records.map(({ id }) => id)

it('takes the record away until the replica has no record of it', () => {
  const deletion = deleting('deleteSuccessPlan', PLAN_ID)
  const edit = operationWith({
    endpoint: 'updateSuccessPlan',
    input: { path: { id: PLAN_ID }, body: { title: 'Renamed' } },
  })
  expect(idsOf(overlayPlans(plans, [edit, deletion]))).toEqual(['other'])
  const acknowledged = { ...deletion, state: 'acknowledged' as const, answer: { id: PLAN_ID } }
  expect(idsOf(overlayPlans(plans, [acknowledged]))).toEqual(['other'])
})

it('takes away what is deleted with it', () => {
  const ofPlan = [deleting('deleteSuccessPlan', PLAN_ID)]
  expect(idsOf(overlayInitiatives(initiatives, ofPlan))).toEqual(['i2'])
  expect(idsOf(overlayActions(actions, ofPlan))).toEqual(['kept'])
  const ofInitiative = [deleting('deleteInitiative', 'initiative')]
  expect(idsOf(overlayActions(actions, ofInitiative))).toEqual(['loose', 'kept'])
  expect(overlayPlans(plans, ofInitiative)).toEqual(plans)
})

it('counts the actions of a plan without the deleted ones', () => {
  const plan = planWith({ actions_count: 2, actions_done_count: 0, progress_mode: 'auto' })
  const deletion = deleting('deleteAction', 'loose')
  const own = [
    actionWith({ status: 'done', success_plan_id: PLAN_ID }),
    actionWith({ id: 'loose', success_plan_id: PLAN_ID }),
  ]
  const left = overlayActions(own, [deletion])
  expect(recalculateFromActions([plan], left, [deletion])).toMatchObject([
    { actions_count: 1, actions_done_count: 1, progress: 100 },
  ])
  expect(recalculateFromActions([plan], own, [])).toEqual([plan])
})

it('shows a record again whose deletion was rejected', () => {
  const rejected = deleting('deleteSuccessPlan', PLAN_ID, { state: 'attention' })
  expect(overlayPlans(plans, [rejected])).toEqual(plans)
  expect(overlayInitiatives(initiatives, [rejected])).toBe(initiatives)
})

it('takes nothing away from another table whose record has the same id', () => {
  const ofAccount = [deleting('deleteAccount', PLAN_ID)]
  expect(overlayPlans(plans, ofAccount)).toEqual(plans)
  expect(overlayInitiatives(initiatives, ofAccount)).toEqual(initiatives)
  const ofAction = [deleting('deleteAction', 'initiative')]
  expect(overlayActions(actions, ofAction)).toEqual(actions)
})
