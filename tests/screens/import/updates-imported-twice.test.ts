// Updates that were written in the app, or came with their plan, are imported a second time from a file, and nothing
// deletes an update. At a server with dates, new ones are left out.
import { describe, expect, it } from 'vitest'
import type { SuccessPlanUpdate } from '../../../contract/schemas/success-plans.ts'
import { UNKNOWN_TIME } from '../../../contract/values.ts'
import { csvFiles } from '../../../src/features/archive/csv-files.ts'
import { parseCsv } from '../../../src/features/import/csv.ts'
import { importedId, planUpdateId } from '../../../src/features/import/imported-id.ts'
import { importMessages as messages } from '../../../src/features/import/messages.ts'
import { keptColumns, lostColumns, readTable } from '../../../src/features/import/table.ts'
import {
  UPDATE_COLUMNS,
  updateRows,
  type UpdateColumn,
} from '../../../src/features/import/update-rows.ts'
import { planWith, updateWith } from '../fixtures/record-fixtures.ts'

const ADA = { user_id: 'ada', name: 'Ada Fell', email: 'ada@example.com' }
const BOB = { user_id: 'bob', name: 'Bob Tarn', email: 'bob@example.com' }
const ROLLOUT = planWith({ title: 'Rollout' })
const PLANS = [ROLLOUT, planWith({ id: 'other', title: 'Migration' })]

/** The results for the rows of a file in an organisation with these updates, imported by Ada. */
function results(
  text: string,
  there: readonly SuccessPlanUpdate[],
  missing: string[] = [],
  aliases: ReadonlyMap<string, { table: string; id: string }> = new Map(),
  hasIds = false,
) {
  const table = readTable(parseCsv(text), UPDATE_COLUMNS, 'plan_id')
  if (!table) throw new Error('No table.')
  const rows = updateRows(table, {
    plans: PLANS,
    accounts: [],
    members: [ADA, BOB],
    updates: there,
    aliases,
    missing,
    user: ADA,
    hasIds,
    isWhole: true,
  })
  return rows.map(({ known, errors }) => (known ? 'exists' : (errors ?? 'ready')))
}

it('no update of the archive’s own updates.csv is imported into its organisation', () => {
  const there = [
    updateWith({ id: 'text', body: '=Half "way",\r\nand more.\n', user_id: 'bob' }),
    updateWith({
      id: 'no text',
      body: '',
      progress_to: 60,
      written_at: '2026-03-03T10:00:00.007Z',
    }),
    updateWith({ id: 'health', body: '', progress_to: null, health: 'at-risk' }),
    updateWith({ id: 'status', body: '', progress_to: null, status_to: 'in-progress' }),
    updateWith({ id: 'imported', body: 'Well.\n\nWritten by Eve', progress_to: null }),
    updateWith({ id: 'old', body: 'Long ago.', written_at: UNKNOWN_TIME, user_id: null }),
    updateWith({ id: 'former', body: 'Bye.', user_id: 'former' }),
    updateWith({ id: 'other plan', success_plan_id: 'other' }),
  ]
  const { 'updates.csv': file = '' } = csvFiles({
    people: [ADA, BOB].map(({ user_id, name, email }) => ({ id: user_id, name, email })),
    accounts: [],
    success_plans: PLANS,
    success_plan_updates: there,
    initiatives: [],
    actions: [],
    templates: [],
  })
  expect(results(file, there)).toEqual(there.map(() => 'exists'))
  // The same rows in an organisation without them.
  expect(results(file, []).filter((result) => result === 'ready')).toHaveLength(7)
})

describe('a row is an update that exists', () => {
  const one = updateWith({ body: 'All well.', written_at: '2026-03-03T10:20:30.456Z' })
  it.each([
    ['with the same instant', '2026-03-03T10:20:30.456Z'],
    ['with the instant in another time zone', '2026-03-03T11:20:30.456+01:00'],
    ['with seconds', '2026-03-03T10:20:30Z'],
    ['with seconds and zeros', '2026-03-03T10:20:30.000000Z'],
    ['with minutes', '2026-03-03T10:20Z'],
    ['with the day', '3 March 2026'],
    ['with a day and a time without a zone', '2026-03-03 10:20'],
    ['without a date', ''],
  ])('%s', (_, date) => {
    expect(results(`Plan,Date,Text\nRollout,${date},all  well.`, [one])).toEqual(['exists'])
  })

  it('where the server keeps whole seconds and the file is more precise', () => {
    const there = [{ ...one, written_at: '2026-03-03T10:20:30.000000Z' }]
    const row = 'Plan,Date,Text\nRollout,2026-03-03T10:20:30.456Z,All well.'
    expect(results(row, there)).toEqual(['exists'])
  })

  it('on the day that it was on this device', () => {
    const evening = new Date(2026, 2, 3, 23, 30)
    const morning = new Date(2026, 2, 3, 0, 30)
    for (const at of [evening, morning])
      expect(
        results('Plan,Date,Text\nRollout,2026-03-03,All well.', [
          { ...one, written_at: at.toISOString() },
        ]),
      ).toEqual(['exists'])
  })

  it('that came with its plan, whose list did not say who wrote it', () => {
    const there = [{ ...one, id: planUpdateId(ROLLOUT.id, 0) }]
    const row = 'Plan,Date,Text,Author\nRollout,2026-03-03,All well.,Bob Tarn'
    expect(results(row, there)).toEqual(['exists'])
  })

  it('of another name of its author: the address, or one that no member has any more', () => {
    for (const author of ['ADA@example.com', 'Ada Ridge', ''])
      expect(
        results(`Plan,Date,Text,Author\nRollout,2026-03-03,All well.,${author}`, [one]),
      ).toEqual(['exists'])
  })

  it('of an author whom an import has named', () => {
    const there = [{ ...one, body: 'All well.\n\nWritten by Eve' }]
    const row = 'Plan,Date,Text,Author\nRollout,2026-03-03,All well.,Eve'
    expect(results(row, there)).toEqual(['exists'])
  })
})

describe('at a server that has its own ids and times', () => {
  const created_at = '2026-11-02T09:00:00.000Z'
  const ROW = ['2026-03-03', '', 'All well.', '', ''] as const
  const text = `Plan,Date,Text\nRollout,${ROW[0]},${ROW[2]}`

  it.each([
    ['of the plan', ROLLOUT.id],
    ['that the plan had before it was sent', 'local'],
  ])('a row that was imported here exists, by the id %s', (_, plan_id) => {
    const aliases = new Map([
      ['local', { table: 'success_plans', id: ROLLOUT.id }],
      ['another', { table: 'accounts', id: ROLLOUT.id }],
      [importedId('update', plan_id, ...ROW), { table: 'success_plan_updates', id: '900' }],
    ])
    expect(results(text, [], [], aliases)).toEqual(['exists'])
  })

  it('an update that was imported elsewhere is found by its text, for one row each', () => {
    const there = [updateWith({ body: 'All well.', written_at: created_at, created_at })]
    expect(results(text, there)).toEqual(['exists'])
    const [row] = text.split('\n').slice(1)
    expect(results(`${text}\n${row?.replace('03-03', '03-10')}`, there)).toEqual([
      'exists',
      'ready',
    ])
  })

  it('times are compared as soon as one was kept', () => {
    const there = [
      updateWith({ body: 'All well.', written_at: created_at, created_at }),
      updateWith({ id: 'other', body: 'Another.' }),
    ]
    expect(results(text, there)).toEqual(['ready'])
  })

  it('the date is read where it is not kept, which is said', () => {
    const keeps = (field: string) => field !== 'written_at'
    const kept = keptColumns<UpdateColumn>(UPDATE_COLUMNS, keeps, 'plan_id')
    expect(Object.keys(kept)).toContain('written_at')
    expect(lostColumns<UpdateColumn>(kept, keeps, ['plan_id', 'written_at'])).toEqual(['Date'])
    expect(lostColumns<UpdateColumn>(kept, keeps, ['plan_id', 'body'])).toEqual([])
  })
})

describe('a row is a new update', () => {
  const one = updateWith({ body: 'All well.', written_at: '2026-03-03T10:20:30.456Z' })
  const ready = (row: string, there = one) =>
    expect(results(`Plan,Date,Text,Author,Progress,Health\n${row}`, [there])).toEqual(['ready'])

  it('on another day, where the server has no update but one whose clock was ahead', () => {
    const at = '2026-03-03T10:20:30.456Z'
    const there = [{ ...one, written_at: at, created_at: at }]
    const imported = (date: string) =>
      results(`Plan,Date,Text\nRollout,${date},All well.`, there, [], new Map(), true)
    expect(imported('2026-03-05')).toEqual(['ready'])
    expect(imported('2026-03-03')).toEqual(['exists'])
  })
  it('of another plan', () => ready('Migration,2026-03-03,All well.'))
  it('with another text', () => ready('Rollout,2026-03-03T10:20:30.456Z,All is well.'))
  it('on another day', () => ready('Rollout,2026-03-05,All well.'))
  it('at another second', () => ready('Rollout,2026-03-03T10:20:32Z,All well.'))
  it('at another millisecond', () => ready('Rollout,2026-03-03T10:20:30.457Z,All well.'))
  it('of another member', () => ready('Rollout,2026-03-03,All well.,Bob Tarn'))
  it('of another author than an import has named', () =>
    ready('Rollout,2026-03-03,All well.,Bob Tarn', {
      ...one,
      body: 'All well.\n\nWritten by Eve',
    }))
  it('with other progress', () => ready('Rollout,2026-03-03,All well.,,70'))
  it('without a text, of another progress', () =>
    ready('Rollout,2026-03-03,,,70', { ...one, body: '' }))
  it('without a text, of the progress alone', () =>
    ready('Rollout,2026-03-03,,,60', { ...one, body: '', progress_to: null, health: 'at-risk' }))
  it('without a text and a date', () => ready('Rollout,,,,60', { ...one, body: '' }))
})

it('a row of a plan whose updates are not on the device is left out, with what to do', () => {
  const row = 'Plan,Date,Text\nRollout,2026-03-03,All well.\nMigration,2026-03-03,All well.'
  expect(results(row, [], [ROLLOUT.id])).toEqual([{ plan_id: [messages.updatesMissing] }, 'ready'])
})
