import { expect, it, vi } from 'vitest'
import { editOf } from '../../../src/features/initiatives/bulk/change-initiatives.ts'
import { initiativesCsv } from '../../../src/features/initiatives/initiatives-csv.ts'
import { parseCsv } from '../../../src/features/import/csv.ts'
import { manyMessages } from '../../../src/widgets/editing/many/messages.ts'
import { splitRecords, type RecordChange } from '../../../src/widgets/editing/many/record-change.ts'
import { actionWith, initiativeWith, planWith } from '../fixtures/record-fixtures.ts'

it.each<[RecordChange, object]>([
  [{ kind: 'owner', owner_id: 'bob' }, { owner_id: 'bob' }],
  [{ kind: 'status', status: 'completed' }, { status: 'completed' }],
  [{ kind: 'health', health: 'at-risk' }, { health: 'at-risk' }],
  [{ kind: 'end', end_date: null }, { end_date: null }],
  [{ kind: 'move', days: 7, skipsWeekends: true }, { end_date: '2031-03-10' }],
])('%j edits one field of an initiative', (change, edit) => {
  expect(editOf(initiativeWith({ end_date: '2031-03-01' }), change)).toEqual(edit)
})

it('leaves out the initiatives whose status does not allow the new one, and names them', () => {
  const change: RecordChange = { kind: 'status', status: 'paused' }
  const initiatives = [
    initiativeWith({ id: 'a', title: 'Keel', status: 'in-progress' }),
    initiativeWith({ id: 'b', title: 'Mast', status: 'planned' }),
    initiativeWith({ id: 'c', title: 'Sails', status: 'paused' }),
  ]
  const { changed, leftOut } = splitRecords(initiatives, change)
  expect(changed.map(({ id }) => id)).toEqual(['a'])
  expect(leftOut.map((one) => manyMessages.leftOutRecord(one, change))).toEqual([
    'Mast (planned)',
    'Sails (already paused)',
  ])
})

it('an initiative is exported with the account of its plan and the number of its actions', () => {
  vi.stubGlobal('location', { origin: 'https://cairn.test' })
  const actions = [actionWith({ status: 'done' }), actionWith({ status: 'todo' })]
  const csv = initiativesCsv(
    [{ initiative: initiativeWith({ owner_id: 'ada' }), actions, areActionsRead: true }],
    {
      today: '2026-05-20',
      planOf: () => planWith({ title: 'Onboarding' }),
      titleOf: () => 'Onboarding',
      nameOf: () => 'Ada',
      personOf: () => 'Ada',
      accountOf: () => 'north',
      accountNameOf: () => 'Northwind',
    },
  )
  const rows = parseCsv(csv)
  expect(rows[0]?.slice(0, 4)).toEqual(['Initiative', 'Plan', 'Account', 'Status'])
  expect(rows[1]).toEqual(
    expect.arrayContaining(['Train the trainers', 'Onboarding', 'Northwind', 'Ada', '1', '2']),
  )
})
