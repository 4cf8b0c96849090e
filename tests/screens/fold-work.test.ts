import { describe, expect, it } from 'vitest'
import { foldActions } from '../../src/features/actions/fold.ts'
import { byPosition, nextPosition, positionAt } from '../../src/features/editing/position.ts'
import { recordStates } from '../../src/features/editing/record-states.ts'
import { following, foldInitiatives } from '../../src/features/initiatives/fold.ts'
import { recalculateFromActions } from '../../src/features/success-plans/fold.ts'
import { actionWith, initiativeWith, operationWith, PLAN_ID, planWith } from './operations.ts'

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
  it('action-made-offline-is-missing', () => {
    expect(foldActions([], [newAction({ position: 3 })])).toMatchObject([
      { id: 'new', title: 'Book the room', status: 'todo', position: 3, assignee_id: null },
    ])
  })

  it('tick-is-not-shown-before-it-is-sent', () => {
    expect(foldActions([actionWith()], [editOfAction(DONE)])).toMatchObject([DONE])
  })

  it('tick-on-an-action-that-waits-itself-is-lost', () => {
    const operations = [newAction(), editOfAction({ id: 'new', ...DONE })]
    expect(foldActions([], operations)).toMatchObject([{ id: 'new', ...DONE }])
  })

  it('action-that-is-to-do-again-still-says-when-it-was-done', () => {
    const done = actionWith({ status: 'done', completed_at: '2026-03-01T10:00:00.000Z' })
    expect(foldActions([done], [editOfAction({ status: 'todo' })])).toMatchObject([
      { status: 'todo', completed_at: null },
    ])
  })

  it('refused-tick-is-shown-as-if-it-counted', () => {
    expect(foldActions([actionWith()], [editOfAction(DONE, { state: 'attention' })])).toEqual([
      actionWith(),
    ])
  })

  it('acknowledged-tick-falls-back-until-it-is-read, or undoes what came after', () => {
    const answer = actionWith({ ...DONE, version: 8 })
    const acknowledged = editOfAction(DONE, { state: 'acknowledged', answer })
    expect(foldActions([actionWith()], [acknowledged])).toEqual([answer])
    const later = actionWith({ title: 'Later', version: 9 })
    expect(foldActions([later], [acknowledged])).toEqual([later])
  })
})

describe('initiatives', () => {
  const edit = (body: object, fields = {}) =>
    operationWith({
      endpoint: 'updateInitiative',
      input: { path: { id: 'initiative' }, body },
      ...fields,
    })

  it('initiative-made-offline-is-missing', () => {
    const creation = operationWith({
      endpoint: 'createInitiative',
      input: { body: { id: 'new', title: 'Pilot', success_plan_id: PLAN_ID } },
    })
    expect(foldInitiatives([], [creation, edit({ title: 'No' })])).toMatchObject([
      { id: 'new', title: 'Pilot', status: 'planned', success_plan_id: PLAN_ID, progress: 0 },
    ])
  })

  it('edit-clears-what-it-does-not-name', () => {
    const before = initiativeWith({ description: 'Kept', health: 'at-risk' })
    expect(foldInitiatives([before], [edit({ health: null, title: undefined })])).toMatchObject([
      { description: 'Kept', health: null, title: before.title },
    ])
  })

  it('completed-without-actions-stays-short-of-100', () => {
    const [after = initiativeWith()] = foldInitiatives(
      [initiativeWith()],
      [edit({ status: 'completed' })],
    )
    expect(following(after, []).progress).toBe(100)
  })

  it('progress-waits-for-the-server', () => {
    const actions = [actionWith(DONE), actionWith(), actionWith({ status: 'cancelled' })]
    expect(following(initiativeWith({ progress: 0 }), actions).progress).toBe(50)
  })
})

describe('the plan of actions', () => {
  const auto = planWith({ progress_mode: 'auto', progress: 0, actions_count: 2 })
  const actions = [actionWith(DONE), actionWith({ id: 'other' })]
  const tick = editOfAction(DONE)

  it('tick-does-not-move-the-plan-before-it-is-sent', () => {
    const moved = { progress: 50, actions_count: 2, actions_done_count: 1 }
    expect(recalculateFromActions([auto], actions, [tick])).toMatchObject([moved])
  })

  it('plan-that-is-set-by-updates-follows-actions', () => {
    const manual = planWith({ progress: 40 })
    expect(recalculateFromActions([manual], actions, [tick])).toMatchObject([
      { progress: 40, actions_done_count: 1 },
    ])
  })

  it('completed-plan-moves-with-a-late-action', () => {
    const over = { ...auto, status: 'completed', progress: 100 }
    expect(recalculateFromActions([over], actions, [tick])).toMatchObject([{ progress: 100 }])
  })

  it('plan-whose-actions-nobody-touched-here-is-redrawn', () => {
    expect(recalculateFromActions([auto], actions, [editOfAction({ id: 'elsewhere' })])[0]).toBe(
      auto,
    )
  })
})

describe('places', () => {
  const at = (...positions: number[]) =>
    positions.map((position, index) => ({ id: `row ${index}`, position }))

  it.each([
    { from: 0, to: 2, order: 'row 1, row 2, row 0' },
    { from: 0, to: 1, order: 'row 1, row 0, row 2' },
    { from: 2, to: 0, order: 'row 2, row 0, row 1' },
    { from: 2, to: 1, order: 'row 0, row 2, row 1' },
  ])('a row moved from $from to $to stands elsewhere', ({ from, to, order }) => {
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

  it('new-one-lands-before-one-that-was-moved-behind-the-last', () => {
    expect(nextPosition(at(1, 7.5))).toBe(8)
    expect(nextPosition([])).toBe(1)
  })
})

describe('what is on its way', () => {
  it('child-of-a-refused-plan-looks-as-if-it-were-sent-any-moment', () => {
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
    expect(states.get(PLAN_ID)).toEqual({ kind: 'attention' })
    expect(states.get('initiative')).toEqual({ kind: 'held', by: 'createSuccessPlan' })
    expect(states.get('new')).toEqual({ kind: 'held', by: 'createSuccessPlan' })
  })

  it('refusal-hides-behind-what-only-waits', () => {
    const refused = editOfAction({ title: '' }, { state: 'attention' })
    expect(recordStates([refused, editOfAction(DONE)]).get('action')).toEqual({
      kind: 'attention',
    })
  })

  it('what-was-sent-still-counts-as-waiting', () => {
    expect(recordStates([editOfAction(DONE, { state: 'acknowledged' })]).size).toBe(0)
  })
})
