// Records and operations as the engine hands them to a fold.
import type { SuccessPlan, SuccessPlanUpdate } from '../../contract/success-plans.ts'
import type { Action } from '../../contract/actions.ts'
import type { Initiative } from '../../contract/initiatives.ts'
import type { Account } from '../../contract/accounts.ts'
import type { Operation } from '../../src/sync/operation.ts'

export const PLAN_ID = '01980000-0000-7000-8000-000000000001'
export const UPDATE_ID = '01980000-0000-7000-8000-0000000000aa'

export const planWith = (fields: Partial<SuccessPlan> = {}): SuccessPlan => ({
  id: PLAN_ID,
  title: 'Roll out alerts',
  type: 'customer',
  status: 'in-progress',
  health: 'on-track',
  progress: 40,
  progress_mode: 'manual',
  description: null,
  success_criteria: null,
  start_date: '2026-01-01',
  end_date: '2026-06-30',
  account_id: null,
  owner_id: 'ada',
  template_id: null,
  outcome: null,
  close_note: null,
  update_cadence_days: null,
  last_update_at: '2026-03-02T09:00:00.000Z',
  actions_count: 0,
  actions_done_count: 0,
  version: 10,
  created_by: 'ada',
  created_at: '2026-01-01T09:00:00.000Z',
  updated_at: '2026-03-02T09:00:00.000Z',
  ...fields,
})

export const accountWith = (fields: Partial<Account> = {}): Account => ({
  id: 'account',
  name: 'Northwind',
  website: null,
  industry: null,
  tier: null,
  status: 'active',
  health: null,
  arr: 1000,
  currency: 'EUR',
  renewal_date: null,
  owner_id: 'ada',
  contacts: [],
  notes: null,
  tags: [],
  success_plans_count: 0,
  version: 3,
  created_by: 'ada',
  created_at: null,
  updated_at: null,
  ...fields,
})

export const initiativeWith = (fields: Partial<Initiative> = {}): Initiative => ({
  id: 'initiative',
  success_plan_id: PLAN_ID,
  account_id: null,
  title: 'Train the trainers',
  description: null,
  status: 'in-progress',
  health: null,
  owner_id: 'ada',
  start_date: null,
  end_date: null,
  progress: 50,
  position: 1,
  version: 5,
  created_by: 'ada',
  created_at: null,
  updated_at: null,
  ...fields,
})

export const actionWith = (fields: Partial<Action> = {}): Action => ({
  id: 'action',
  success_plan_id: PLAN_ID,
  initiative_id: 'initiative',
  account_id: null,
  title: 'Invite the trainers',
  description: null,
  status: 'todo',
  priority: null,
  due_date: null,
  assignee_id: null,
  assignee_contact: null,
  completed_at: null,
  position: 1,
  version: 6,
  created_by: 'ada',
  created_at: null,
  updated_at: null,
  ...fields,
})

export const updateWith = (fields: Partial<SuccessPlanUpdate> = {}): SuccessPlanUpdate => ({
  id: UPDATE_ID,
  success_plan_id: PLAN_ID,
  user_id: 'ada',
  body: 'Budget confirmed.',
  health: null,
  progress_from: 40,
  progress_to: 60,
  status_from: null,
  status_to: null,
  written_at: '2026-03-03T10:00:00.000Z',
  created_at: '2026-03-03T13:00:00.000Z',
  version: 12,
  ...fields,
})

let nextSequence = 0

export const operationWith = (fields: Partial<Operation>): Operation => {
  nextSequence += 1
  return {
    id: `operation-${nextSequence}`,
    v: 1,
    endpoint: 'postPlanUpdate',
    input: {},
    user_id: 'ada',
    organisation_id: 'lumen',
    lane: '',
    seq: nextSequence,
    depends_on: [],
    created_at: '2026-03-03T10:00:00.000Z',
    state: 'pending',
    attempts: 0,
    not_before: 0,
    last_error: null,
    ...fields,
  }
}

/** Posting an update of the plan, written on Tuesday, 3 March, at ten. */
export const posting = (body: object, fields: Partial<Operation> = {}): Operation =>
  operationWith({
    input: {
      path: { id: PLAN_ID },
      body: { id: UPDATE_ID, body: '', written_at: '2026-03-03T10:00:00.000Z', ...body },
    },
    ...fields,
  })
