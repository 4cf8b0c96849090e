// The random requests that the model server and the real server are compared with.
import * as fc from 'fast-check'
import { RENEWAL_OUTCOMES } from '../../../../contract/schemas/accounts.ts'
import { ACTION_STATUSES } from '../../../../contract/schemas/actions.ts'
import { OUTCOMES, PLAN_STATUSES } from '../../../../contract/values.ts'
import { ORGANISATIONS, USERS } from '../model-server.ts'
import { INVALID } from './request-rules.ts'

const uuid = (kind: number, index: number) =>
  `00000000-0000-4000-8000-${String(kind * 1_000 + index).padStart(12, '0')}`
const [ACCOUNT, PLAN, UPDATE, KEY, INITIATIVE, ACTION, RENEWAL] = [1, 2, 3, 4, 5, 6, 7]
/** Few ids, so that users and organisations often use the same one. */
const ids = (kind: number, count: number) =>
  fc.integer({ min: 0, max: count - 1 }).map((index) => uuid(kind, index))

const text = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 999 }).map((n) => `text ${n}`) },
  { weight: 1, arbitrary: fc.constant(INVALID) },
)
const caller = fc.record(
  {
    user_id: fc.constantFrom(...USERS),
    organisation_id: fc.oneof(
      { weight: 40, arbitrary: fc.constantFrom<string | undefined>(...ORGANISATIONS) },
      { weight: 1, arbitrary: fc.constantFrom('elsewhere', undefined) },
    ),
    key: ids(KEY, 12),
    token: fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(3) }),
  },
  { requiredKeys: ['user_id', 'organisation_id', 'token'] },
)
/** A seeded plan by its number, or the id of a plan that may not exist. */
const plan = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('1', '2') },
  { weight: 3, arbitrary: ids(PLAN, 6) },
)
const match = fc.constantFrom('none', 'none', 'current', 'current', 'earlier')
/** Calculated fields move the version of a record, which not each server compares edits with. */
const current = fc.constantFrom('none' as const, 'current' as const)
const progress = fc.integer({ min: 0, max: 100 })
/** Mostly none, as most transitions are refused and then nothing else changes either. */
const status = fc.oneof(
  { weight: 5, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom(...PLAN_STATUSES) },
)
const outcome = fc.constantFrom(...OUTCOMES)
const health = fc.constantFrom('on-track', 'at-risk', 'off-track')

/** By clocks that are behind and ahead. */
const renewal_outcome = fc.record(
  {
    id: ids(RENEWAL, 6),
    due: fc.constantFrom('2026-03-31', '2026-06-30'),
    outcome: fc.constantFrom(...RENEWAL_OUTCOMES),
    next_date: fc.constantFrom('2027-03-31', null),
    note: fc.constantFrom('text 1', 'text 2'),
    recorded_at: fc.constantFrom('2025-01-31T09:00:00.000Z', '2199-01-31T09:00:00.000Z'),
  },
  { requiredKeys: ['id', 'due', 'outcome', 'recorded_at'] },
)
const renewal_date = fc.constantFrom('2026-06-30', null)

const createAccount = fc.record({
  type: fc.constant('createAccount' as const),
  caller,
  body: fc.record(
    { id: ids(ACCOUNT, 4), name: text, renewal_date, renewal_outcome },
    { requiredKeys: ['id', 'name'] },
  ),
})
const createPlan = fc.record({
  type: fc.constant('createPlan' as const),
  caller,
  account: fc.option(fc.oneof(fc.constant('seeded'), ids(ACCOUNT, 5)), { nil: undefined }),
  body: fc.record(
    { id: ids(PLAN, 6), title: text, type: fc.constant('project') },
    { requiredKeys: ['id', 'title'] },
  ),
})
const editPlan = fc.record({
  type: fc.constant('editPlan' as const),
  caller,
  plan,
  match,
  body: fc.record(
    { title: text, description: text, progress, health, status, note: text, outcome },
    { requiredKeys: [] },
  ),
})
const postUpdate = fc.record({
  type: fc.constant('postUpdate' as const),
  caller,
  plan,
  match,
  /** Minutes before the request; negative when the device's clock is ahead. */
  written: fc.option(fc.integer({ min: -10, max: 60 }), { nil: undefined }),
  body: fc.record(
    { id: ids(UPDATE, 20), body: text, progress, health, status, outcome },
    { requiredKeys: ['id', 'body'] },
  ),
})
const deletePlan = fc.record({ type: fc.constant('deletePlan' as const), caller, plan, match })
/** An account, an initiative or an action, with few ids. */
const deleteRecord = fc.record({
  type: fc.constant('deleteRecord' as const),
  caller,
  match: current,
  record: fc.oneof(
    ids(ACCOUNT, 4).map((id) => ({ noun: 'accounts' as const, id })),
    ids(INITIATIVE, 1).map((id) => ({ noun: 'initiatives' as const, id })),
    ids(ACTION, 2).map((id) => ({ noun: 'actions' as const, id })),
  ),
})
const rename = fc.record({
  type: fc.constant('rename' as const),
  caller,
  body: fc.record({ name: text }),
})
const editConsents = fc.record({
  type: fc.constant('editConsents' as const),
  caller,
  body: fc.oneof(
    fc.record({ due_lead_days: fc.integer({ min: 1, max: 7 }) }),
    fc.record({ digest: fc.constantFrom('off', 'daily', 'weekly') }),
  ),
})
const editAccount = fc.record({
  type: fc.constant('editAccount' as const),
  caller,
  match: current,
  id: ids(ACCOUNT, 4),
  body: fc.record({ name: text, renewal_date, renewal_outcome }, { requiredKeys: [] }),
})
const createInitiative = fc.record({
  type: fc.constant('createInitiative' as const),
  caller,
  plan: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
  body: fc.record({ id: ids(INITIATIVE, 1), title: text }),
})
const editInitiative = fc.record({
  type: fc.constant('editInitiative' as const),
  caller,
  match: current,
  id: ids(INITIATIVE, 1),
  body: fc.record(
    { title: text, status: fc.constantFrom(...PLAN_STATUSES) },
    { requiredKeys: ['status'] },
  ),
})
const createAction = fc.record({
  type: fc.constant('createAction' as const),
  caller,
  plan: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
  body: fc.record(
    { id: ids(ACTION, 2), title: text, initiative_id: ids(INITIATIVE, 1) },
    { requiredKeys: ['id', 'title'] },
  ),
})
const editAction = fc.record({
  type: fc.constant('editAction' as const),
  caller,
  match: current,
  body: fc.record(
    { id: ids(ACTION, 2), title: text, status: fc.constantFrom(...ACTION_STATUSES) },
    { requiredKeys: ['id', 'status'] },
  ),
})
const changes = fc.record({
  type: fc.constant('changes' as const),
  caller,
  /** A share of the known versions; below 0 and above 1 are versions of another database. */
  since: fc.double({ min: -0.2, max: 1.2, noNaN: true }),
})
const list = fc.record({
  type: fc.constant('list' as const),
  caller,
  path: fc.constantFrom(
    'accounts',
    'success-plans',
    'organisation-users',
    'userinfo',
    'notification-consents',
    'updates',
  ),
  plan,
})
/** The same request once more, as after a lost answer; without its key, as after the key's lifetime. */
const repeat = fc.record({
  type: fc.constant('repeat' as const),
  back: fc.nat(5),
  withKey: fc.boolean(),
})
const refresh = fc.record({
  type: fc.constant('refresh' as const),
  user_id: fc.constantFrom(...USERS),
  age: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(3) }),
})
const signIn = fc.record({
  type: fc.constant('signIn' as const),
  user_id: fc.constantFrom(...USERS),
})
const pause = fc.record({
  type: fc.constant('pause' as const),
  seconds: fc.constantFrom(5, 5, 11, 11, 60, 60, 1_000),
})

/** Some writes of one author as a batch; those of `chained` are based on the one before in their lane. */
const batch = fc.record({
  type: fc.constant('batch' as const),
  caller,
  writes: fc.array(
    fc.record({
      write: fc.oneof(
        { weight: 2, arbitrary: createPlan },
        { weight: 5, arbitrary: editPlan },
        { weight: 6, arbitrary: postUpdate },
        { weight: 1, arbitrary: deletePlan },
        { weight: 1, arbitrary: createAccount },
        { weight: 2, arbitrary: editInitiative },
        { weight: 2, arbitrary: createAction },
      ),
      key: ids(KEY, 40),
      isChained: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  /** A malformed one: a call that cannot be queued. */
  isMalformed: fc.oneof(
    { weight: 12, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
})

export const command = fc.oneof(
  { weight: 3, arbitrary: createAccount },
  { weight: 5, arbitrary: createPlan },
  { weight: 8, arbitrary: editPlan },
  { weight: 14, arbitrary: postUpdate },
  { weight: 2, arbitrary: deletePlan },
  { weight: 2, arbitrary: deleteRecord },
  { weight: 6, arbitrary: editAccount },
  { weight: 5, arbitrary: createInitiative },
  { weight: 7, arbitrary: editInitiative },
  { weight: 5, arbitrary: createAction },
  { weight: 7, arbitrary: editAction },
  { weight: 3, arbitrary: rename },
  { weight: 3, arbitrary: editConsents },
  { weight: 4, arbitrary: changes },
  { weight: 3, arbitrary: list },
  { weight: 6, arbitrary: repeat },
  { weight: 5, arbitrary: refresh },
  { weight: 1, arbitrary: signIn },
  { weight: 3, arbitrary: pause },
  { weight: 8, arbitrary: batch },
)
export type Command = typeof command extends fc.Arbitrary<infer C> ? C : never
export type RequestCommand = Exclude<Command, { type: 'repeat' | 'refresh' | 'signIn' | 'pause' }>
