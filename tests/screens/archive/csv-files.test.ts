import { expect, it } from 'vitest'
import { csvFiles } from '../../../src/features/archive/csv-files.ts'
import type { Contents } from '../../../src/features/archive/format.ts'
import { parseCsv } from '../../../src/features/import/csv.ts'
import {
  accountWith,
  actionWith,
  initiativeWith,
  planWith,
  updateWith,
} from '../fixtures/record-fixtures.ts'

const STAMPS = { version: 1, created_by: null, created_at: null, updated_at: null }
const RENEWAL = {
  id: 'renewal',
  due: '2026-03-31',
  outcome: 'renewed',
  amount: 48_000.5,
  currency: 'EUR',
  next_date: '2027-03-31',
  note: '=note',
  user_id: 'ada',
  recorded_at: '2026-03-05T10:00:00.000Z',
}
const CONTENTS: Contents = {
  people: [{ id: 'ada', name: '=Ada', email: 'ada@example.com' }],
  accounts: [
    accountWith({
      id: 'north',
      name: '=North',
      contacts: [
        {
          id: 'eve',
          name: '=Eve',
          email: null,
          phone: '+49 30 1',
          title: null,
          role: null,
          is_primary: true,
        },
      ],
      renewals: [RENEWAL],
    }),
  ],
  success_plans: [planWith({ id: 'plan', title: '=Plan', account_id: 'north' })],
  success_plan_updates: [updateWith({ success_plan_id: 'plan', body: '=Update', user_id: 'ada' })],
  initiatives: [
    initiativeWith({
      id: 'initiative',
      title: '=Initiative',
      success_plan_id: 'plan',
      account_id: 'north',
      owner_id: 'ada',
      start_date: '2026-03-01',
      end_date: '2026-04-01',
      description: '=Why',
    }),
  ],
  actions: [actionWith({ title: '=Action', success_plan_id: 'plan', initiative_id: 'initiative' })],
  templates: [
    {
      ...STAMPS,
      id: 'template',
      title: '=Template',
      description: 'For all',
      type: 'customer',
      duration_days: 90,
      update_cadence_days: 14,
      initiatives: [
        {
          title: '=Step',
          description: null,
          start_offset_days: 0,
          end_offset_days: 30,
          actions: [
            { title: '=Task', description: null, due_offset_days: 7, assignee_role: 'customer' },
          ],
        },
      ],
    },
  ],
}
const files = csvFiles(CONTENTS)

it('has a table for each kind of record', () => {
  expect(Object.keys(files).toSorted()).toEqual([
    'accounts.csv',
    'actions.csv',
    'contacts.csv',
    'initiatives.csv',
    'people.csv',
    'renewals.csv',
    'success-plans.csv',
    'templates.csv',
    'updates.csv',
  ])
})

it.each(Object.entries(files))('%s has rows, and no cell that is run as a formula', (_, text) => {
  expect(parseCsv(text).length).toBeGreaterThan(1)
  expect(text).toMatch(/'=/)
  expect(text).not.toMatch(/(?:^|[,"\n])[=+]/m)
})

it('names what initiatives and outcomes of renewals belong to', () => {
  expect(parseCsv(files['initiatives.csv'] ?? '')[1]).toEqual([
    '=Initiative',
    '=Plan',
    '=North',
    'in-progress',
    '',
    '50',
    '=Ada',
    '2026-03-01',
    '2026-04-01',
    '=Why',
  ])
  expect(parseCsv(files['renewals.csv'] ?? '')[1]).toEqual([
    '=North',
    '2026-03-31',
    'renewed',
    '48000.5',
    'EUR',
    '2027-03-31',
    '=note',
    '=Ada',
    '2026-03-05T10:00:00.000Z',
  ])
})

it('has a template as an outline with days from the start of the plan', () => {
  expect(parseCsv(files['templates.csv'] ?? '')).toEqual([
    [
      'Template',
      'Initiative',
      'Action',
      'Type',
      'First day',
      'Last day',
      'Assignee',
      'Update cadence in days',
      'Description',
    ],
    ['=Template', '', '', 'customer', '', '90', '', '14', 'For all'],
    ['=Template', '=Step', '', '', '0', '30', '', '', ''],
    ['=Template', '=Step', '=Task', '', '', '7', 'customer', '', ''],
  ])
})
