import * as v from 'valibot'
import { expect, test } from 'vitest'
import { isActionOverdue } from '../../src/data/success-plans/action-rules.ts'
import { isInitiativeOverdue } from '../../src/data/success-plans/initiative-rules.ts'
import {
  requiredForTransition,
  countActions,
  dayInTimeZone,
  daysBetween,
  isBehind,
  isDueSoon,
  isOverdue,
  isStale,
  clampToNow,
  progressFromActions,
  progressAtCompletion,
  elapsedPercent,
  transitionsFrom,
} from '../../contract/rules.ts'
import { canManage, isOwner } from '../../contract/roles.ts'
import { SuccessPlan } from '../../contract/schemas/success-plans.ts'
import { PLAN_STATUSES } from '../../contract/values.ts'

test('a plan allows only the contract’s transitions', () => {
  expect(Object.fromEntries(PLAN_STATUSES.map((from) => [from, transitionsFrom(from)]))).toEqual({
    planned: ['in-progress', 'cancelled'],
    'in-progress': ['paused', 'completed', 'cancelled'],
    paused: ['in-progress', 'completed', 'cancelled'],
    completed: ['in-progress'],
    cancelled: ['planned'],
  })
})

test('an unknown status, even one named like a built-in property, allows no transition', () => {
  for (const status of ['blocked', '', 'constructor', 'toString', '__proto__'])
    expect(transitionsFrom(status)).toEqual([])
})

test('pausing and cancelling ask for a note, completing for an outcome', () => {
  expect(PLAN_STATUSES.map((status) => requiredForTransition(status))).toEqual([
    undefined,
    undefined,
    'note',
    'outcome',
    'note',
  ])
})

test('only an achieved goal sets the progress to 100', () => {
  expect(
    ['achieved', 'partially-achieved', 'missed'].map((one) => progressAtCompletion(40, one)),
  ).toEqual([100, 40, 40])
})

test('an update dated in the future is clamped', () => {
  const now = '2026-03-01T12:00:00.000Z'
  expect(clampToNow('2026-03-09T12:00:00.000Z', now)).toBe(now)
  expect(clampToNow('2026-02-27T12:00:00.000Z', now)).toBe('2026-02-27T12:00:00.000Z')
})

test('a plan is not overdue on its last day, nor when its work is over', () => {
  const plan = { status: 'in-progress', end_date: '2026-03-01' }
  expect(isOverdue(plan, '2026-03-01')).toBe(false)
  expect(isOverdue(plan, '2026-03-02')).toBe(true)
  for (const status of ['completed', 'cancelled', 'blocked'])
    expect(isOverdue({ ...plan, status }, '2026-03-02')).toBe(false)
  expect(isOverdue({ ...plan, end_date: null }, '2026-03-02')).toBe(false)
})

test.for([
  ['todo', undefined, true],
  ['in-progress', 'in-progress', true],
  ['todo', 'paused', true],
  ['todo', 'blocked', true],
  ['todo', 'completed', false],
  ['todo', 'cancelled', false],
  ['done', 'in-progress', false],
  ['cancelled', undefined, false],
] as const)('an action %s in a plan that is %s is overdue: %s', ([status, ofPlan, late]) => {
  const action = { status, due_date: '2026-03-01' }
  const plan = ofPlan && { status: ofPlan }
  expect(isActionOverdue(action, plan, '2026-03-02')).toBe(late)
  expect(isActionOverdue(action, plan, '2026-03-01')).toBe(false)
  expect(isActionOverdue({ ...action, due_date: null }, plan, '2026-03-02')).toBe(false)
})

test.for([
  ['planned', undefined, true],
  ['in-progress', 'in-progress', true],
  ['paused', 'paused', true],
  ['planned', 'blocked', true],
  ['planned', 'completed', false],
  ['in-progress', 'cancelled', false],
  ['completed', 'in-progress', false],
  ['cancelled', undefined, false],
] as const)('an initiative %s in a plan that is %s is overdue: %s', ([status, ofPlan, late]) => {
  const initiative = { status, end_date: '2026-03-01' }
  const plan = ofPlan && { status: ofPlan }
  expect(isInitiativeOverdue(initiative, plan, '2026-03-02')).toBe(late)
  expect(isInitiativeOverdue(initiative, plan, '2026-03-01')).toBe(false)
  expect(isInitiativeOverdue({ ...initiative, end_date: null }, plan, '2026-03-02')).toBe(false)
})

test('a plan is due soon from 14 days before its end until its last day', () => {
  const plan = { status: 'paused', end_date: '2026-03-15' }
  const days = ['2026-02-28', '2026-03-01', '2026-03-15', '2026-03-16']
  expect(days.map((day) => isDueSoon(plan, day))).toEqual([false, true, true, false])
})

test('a plan is stale after its cadence, counted from its start without updates', () => {
  const at = (day: number) => Date.UTC(2026, 2, day)
  const plan = {
    status: 'in-progress',
    last_update_at: null,
    update_cadence_days: null,
    created_at: new Date(at(1)).toISOString(),
  }
  expect([at(15), at(15) + 1].map((now) => isStale(plan, now))).toEqual([false, true])
  expect(isStale({ ...plan, update_cadence_days: 7 }, at(9))).toBe(true)
  expect(isStale({ ...plan, last_update_at: new Date(at(14)).toISOString() }, at(20))).toBe(false)
  expect(isStale({ ...plan, status: 'paused' }, at(31))).toBe(false)
})

test('a plan is not stale at a server that does not say when it was updated last', () => {
  const answered = {
    id: 'p',
    title: 'Rollout',
    status: 'in-progress',
    created_at: '2026-03-01T00:00:00.000Z',
  }
  const now = Date.parse('2026-06-01T00:00:00.000Z')
  const isStaleWith = (fields: object) =>
    isStale(v.parse(SuccessPlan, { ...answered, ...fields }), now)
  expect([{}, { last_update_at: null }].map(isStaleWith)).toEqual([false, true])
})

test('a plan is behind when more than 15 points below the share of time gone', () => {
  const plan = { status: 'in-progress', start_date: '2026-03-01', end_date: '2026-03-11' }
  expect(elapsedPercent(plan, '2026-03-06')).toBe(50)
  expect(isBehind({ ...plan, progress: 35 }, '2026-03-06')).toBe(false)
  expect(isBehind({ ...plan, progress: 34 }, '2026-03-06')).toBe(true)
  expect(isBehind({ ...plan, progress: 0, start_date: null }, '2026-03-06')).toBe(false)
})

test('the share of time gone stays between 0 and 100, even for a plan of one day', () => {
  const plan = { start_date: '2026-03-01', end_date: '2026-03-01' }
  expect(
    ['2026-02-01', '2026-03-01', '2026-04-01'].map((day) => elapsedPercent(plan, day)),
  ).toEqual([0, 100, 100])
  const long = { start_date: '2026-03-01', end_date: '2026-03-31' }
  expect(['2026-02-01', '2026-04-15'].map((day) => elapsedPercent(long, day))).toEqual([0, 100])
})

test('days are counted correctly over clock changes and leap days', () => {
  expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2)
  expect(daysBetween('2028-02-28', '2028-03-01')).toBe(2)
  expect(daysBetween('2026-03-02', '2026-03-01')).toBe(-1)
})

test('the day is that of the organisation, and of UTC where its zone is unknown', () => {
  const instant = new Date('2026-03-01T23:30:00Z')
  expect(dayInTimeZone('Pacific/Auckland', instant)).toBe('2026-03-02')
  expect(dayInTimeZone('America/Los_Angeles', instant)).toBe('2026-03-01')
  expect(dayInTimeZone('Nowhere/Land', instant)).toBe('2026-03-01')
})

test('only owners, admins and superadmins manage', () => {
  const user = (superadmin: boolean) => ({ id: 'ann', superadmin })
  const organisation = (user_id: string, role: string) => ({ user_id, pivot: { role } })
  expect(isOwner(user(false), { user_id: 'ann' })).toBe(true)
  expect(isOwner(user(false), { user_id: 'bob' })).toBe(false)
  expect(isOwner(user(true), { user_id: 'bob' })).toBe(true)
  expect(canManage(user(false), organisation('ann', 'member'))).toBe(true)
  expect(canManage(user(false), organisation('bob', 'admin'))).toBe(true)
  expect(canManage(user(false), organisation('bob', 'member'))).toBe(false)
  expect(canManage(user(true), organisation('bob', 'member'))).toBe(true)
})

test.each([
  [[], 40],
  [['cancelled', 'cancelled'], 40],
  [['todo', 'todo'], 0],
  [['in-progress'], 25],
  [['done', 'in-progress', 'todo', 'cancelled'], 42],
  [['done', 'done', 'cancelled'], 100],
  [['done', 'someday'], 50],
])('the progress of actions %j is %i', (statuses, progress) => {
  const actions = statuses.map((status) => ({ status }))
  expect(progressFromActions(actions, 40)).toBe(progress)
})

test('cancelled actions count neither as open nor as done', () => {
  const actions = ['done', 'todo', 'in-progress', 'cancelled'].map((status) => ({ status }))
  expect(countActions(actions)).toEqual({ actions_count: 3, actions_done_count: 1 })
})
