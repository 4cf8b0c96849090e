// The updates of a later archive set the progress of a plan that follows its actions here: the server rejected them,
// with their text.
import { expect, it } from 'vitest'
import { restore } from '../../../src/features/archive/restore.ts'
import { planWith, updateWith } from '../fixtures/record-fixtures.ts'
import { API, manifestOf } from './archive-fixture.ts'

const ADA = { id: '1', name: 'Ada Fell', email: 'ada@example.com' }
const nothing = {
  accounts: [],
  success_plans: [],
  success_plan_updates: [],
  initiatives: [],
  actions: [],
  templates: [],
}
const update = { success_plan_id: '1', progress_to: 40, user_id: ADA.id }

const posted = (progress_mode: string) => {
  const plan = planWith({ id: '1', type: 'project', progress: 40 })
  const { calls } = restore(
    manifestOf('3', 'North'),
    {
      ...nothing,
      people: [ADA],
      success_plans: [plan],
      success_plan_updates: [
        updateWith({ ...update, id: '1', body: 'Agreed.', health: 'at-risk' }),
        updateWith({ ...update, id: '2', body: '' }),
      ],
    },
    {
      organisation_id: '3',
      apis: [API],
      user: ADA,
      members: [ADA],
      existing: { ...nothing, success_plans: [{ ...plan, progress: 25, progress_mode }] },
      aliases: new Map(),
      isUnsent: () => false,
      plansWithoutUpdates: [],
      keeps: () => true,
      addsTemplates: true,
    },
  )
  expect(calls.map(({ call }) => call)).not.toContain('createSuccessPlan')
  return calls.map(({ input }) => input.body)
}

it('updates arrive without the progress that a plan takes from its actions', () => {
  const [first, ...others] = posted('auto')
  expect(first).toMatchObject({ body: 'Agreed.', health: 'at-risk' })
  expect(first).not.toHaveProperty('progress')
  // Nothing else was in it.
  expect(others).toEqual([])
})

it('they set the progress of another plan', () => {
  expect(posted('manual')).toMatchObject([{ body: 'Agreed.', progress: 40 }, { progress: 40 }])
})
