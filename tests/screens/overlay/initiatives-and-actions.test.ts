import { describe, expect, it } from 'vitest'
import { overlayActions } from '../../../src/data/actions.ts'
import { byPosition, nextPosition, positionAt } from '../../../src/data/position.ts'
import { recordStates } from '../../../src/data/record-states.ts'
import { followActions, overlayInitiatives } from '../../../src/data/initiatives.ts'
import { recalculateFromActions } from '../../../src/data/success-plans/overlay.ts'
import {
  actionWith,
  initiativeWith,
  operationWith,
  PLAN_ID,
  planWith,
} from '../fixtures/record-fixtures.ts'

const newAction = (fields = {}, operation = {}) =>
  operationWith({
    endpoint: 'createAction',
    input: { body: { id: 'new', title: 'Book the room', initiative_id: 'initiative', ...fields } },
    ...operation,
  })
const editOfAction = (fields: object, operation = {}) =>
  operationWith({
    endpoint: 'updateAction',
    input: { body: { id: 'action', ...fields } },
    ...operation,
  })
const DONE = { status: 'done', completed_at: '2026-03-03T10:00:00.000Z' }

describe('actions', () => {
  it('shows an action created offline', () => {
    expect(overlayActions([], [newAction({ position: 3 })])).toMatchObject([
      { id: 'new', title: 'Book the room', status: 'todo', position: 3, assignee_id: null },
    ])
  })

  it('shows a completed action before it is sent', () => {
    expect(overlayActions([actionWith()], [editOfAction(DONE)])).toMatchObject([DONE])
  })

  it('completes an action that is itself still pending', () => {
    const operations = [newAction(), editOfAction({ id: 'new', ...DONE })]
    expect(overlayActions([], operations)).toMatchObject([{ id: 'new', ...DONE }])
  })

  it('clears the date of completion when an action is reopened', () => {
    const done = actionWith({ status: 'done', completed_at: '2026-03-01T10:00:00.000Z' })
    expect(overlayActions([done], [editOfAction({ status: 'todo' })])).toMatchObject([
      { status: 'todo', completed_at: null },
    ])
  })

  it('does not apply a rejected completion', () => {
    expect(overlayActions([actionWith()], [editOfAction(DONE, { state: 'attention' })])).toEqual([
      actionWith(),
    ])
  })

  it('keeps an acknowledged completion until the server’s record is newer', () => {
    const answer = actionWith({ ...DONE, version: 8 })
    const acknowledged = editOfAction(DONE, { state: 'acknowledged', answer })
    expect(overlayActions([actionWith()], [acknowledged])).toEqual([answer])
    const later = actionWith({ title: 'Later', version: 9 })
    expect(overlayActions([later], [acknowledged])).toEqual([later])
  })
})

describe('initiatives', () => {
  const edit = (body: object, fields = {}) =>
    operationWith({
      endpoint: 'updateInitiative',
      input: { path: { id: 'initiative' }, body },
      ...fields,
    })

  it('shows an initiative created offline', () => {
    const creation = operationWith({
      endpoint: 'createInitiative',
      input: { body: { id: 'new', title: 'Pilot', success_plan_id: PLAN_ID } },
    })
    expect(overlayInitiatives([], [creation, edit({ title: 'No' })])).toMatchObject([
      { id: 'new', title: 'Pilot', status: 'planned', success_plan_id: PLAN_ID, progress: 0 },
    ])
  })

  it('leaves fields alone that an edit does not name', () => {
    const before = initiativeWith({ description: 'Kept', health: 'at-risk' })
    expect(overlayInitiatives([before], [edit({ health: null, title: undefined })])).toMatchObject([
      { description: 'Kept', health: null, title: before.title },
    ])
  })

  it('shows 100 per cent for a completed initiative without actions', () => {
    const [after = initiativeWith()] = overlayInitiatives(
      [initiativeWith()],
      [edit({ status: 'completed' })],
    )
    expect(followActions(after, []).progress).toBe(100)
  })

  it('derives progress from the actions on the device', () => {
    const actions = [actionWith(DONE), actionWith(), actionWith({ status: 'cancelled' })]
    expect(followActions(initiativeWith({ progress: 0 }), actions).progress).toBe(50)
  })
})

describe('the progress of a plan from its actions', () => {
  const auto = planWith({ progress_mode: 'auto', progress: 0, actions_count: 2 })
  const actions = [actionWith(DONE), actionWith({ id: 'other' })]
  const tick = editOfAction(DONE)

  it('moves when an action is completed, before that is sent', () => {
    const moved = { progress: 50, actions_count: 2, actions_done_count: 1 }
    expect(recalculateFromActions([auto], actions, [tick])).toMatchObject([moved])
  })

  it('stays as the last update set it in manual mode', () => {
    const manual = planWith({ progress: 40 })
    expect(recalculateFromActions([manual], actions, [tick])).toMatchObject([
      { progress: 40, actions_done_count: 1 },
    ])
  })

  it('stays at 100 when a completed plan’s action changes late', () => {
    const over = { ...auto, status: 'completed', progress: 100 }
    expect(recalculateFromActions([over], actions, [tick])).toMatchObject([{ progress: 100 }])
  })

  it('keeps the plan’s identity when none of its actions has pending changes', () => {
    expect(recalculateFromActions([auto], actions, [editOfAction({ id: 'elsewhere' })])[0]).toBe(
      auto,
    )
  })
})

describe('positions', () => {
  const at = (...positions: number[]) =>
    positions.map((position, index) => ({ id: `row ${index}`, position }))

  it.each([
    { from: 0, to: 2, order: 'row 1, row 2, row 0' },
    { from: 0, to: 1, order: 'row 1, row 0, row 2' },
    { from: 2, to: 0, order: 'row 2, row 0, row 1' },
    { from: 2, to: 1, order: 'row 0, row 2, row 1' },
  ])('moves a row from $from to $to', ({ from, to, order }) => {
    const rows = at(1, 2, 3)
    const position = positionAt(rows, from, to)
    const moved = rows.map((row, index) => (index === from ? { ...row, position } : row))
    expect(
      moved
        .toSorted(byPosition)
        .map(({ id }) => id)
        .join(', '),
    ).toBe(order)
  })

  it('place a new row behind the last one', () => {
    expect(nextPosition(at(1, 7.5))).toBe(8)
    expect(nextPosition([])).toBe(1)
  })
})

describe('states of pending records', () => {
  it('hold children back while the creation of their plan is rejected', () => {
    const plan = operationWith({
      endpoint: 'createSuccessPlan',
      input: { body: { id: PLAN_ID } },
      state: 'attention',
    })
    const initiative = operationWith({
      endpoint: 'createInitiative',
      input: { body: { id: 'initiative' } },
      depends_on: [plan.id],
    })
    const action = newAction({}, { depends_on: [initiative.id] })
    const states = recordStates([plan, initiative, action])
    expect(states.get(`success_plans ${PLAN_ID}`)).toEqual({ kind: 'attention' })
    expect(states.get('initiatives initiative')).toEqual({ kind: 'blocked', by: 'success_plans' })
    expect(states.get('actions new')).toEqual({ kind: 'blocked', by: 'success_plans' })
  })

  it('show a rejection before a pending change', () => {
    const refused = editOfAction({ title: '' }, { state: 'attention' })
    expect(recordStates([refused, editOfAction(DONE)]).get('actions action')).toEqual({
      kind: 'attention',
    })
  })

  it('name what blocks the first of several operations', () => {
    const rejected = (endpoint: string, id: string) =>
      operationWith({ endpoint, id, input: { body: { id } }, state: 'attention' })
    const account = rejected('createAccount', 'account')
    const plan = rejected('createSuccessPlan', 'plan')
    const states = recordStates([
      account,
      plan,
      editOfAction({ account_id: 'account' }, { id: 'first', depends_on: ['account'] }),
      editOfAction({ success_plan_id: 'plan' }, { id: 'second', depends_on: ['plan'] }),
    ])
    expect(states.get('actions action')).toEqual({ kind: 'blocked', by: 'accounts' })
  })

  it('leave out acknowledged operations', () => {
    expect(recordStates([editOfAction(DONE, { state: 'acknowledged' })]).size).toBe(0)
  })
})
