// The app's own CSV of plans, imported into an organisation without plans and exported again.
import * as fc from 'fast-check'
import { beforeAll, expect, it, vi } from 'vitest'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { CADENCES, HEALTHS, OUTCOMES, PLAN_STATUSES } from '../../../contract/values.ts'
import { overlayPlans } from '../../../src/data/success-plans/overlay.ts'
import { parseCsv } from '../../../src/features/import/csv.ts'
import { PLAN_COLUMNS, planRows, type NewPlan } from '../../../src/features/import/plan-rows.ts'
import { readTable } from '../../../src/features/import/table.ts'
import { plansCsv } from '../../../src/features/success-plans/list/plans-csv.ts'
import { accountWith, operationWith, planWith } from '../fixtures/record-fixtures.ts'

const ADA = { user_id: '01980000-0000-7000-8000-0000000000ad', name: 'Ada Fell' }
const NORTH = accountWith({ id: '01980000-0000-7000-8000-0000000000cc', name: 'Northwind' })
const TEMPLATE = {
  id: '01980000-0000-7000-8000-0000000000aa',
  title: 'Onboarding in 90 days',
  type: 'customer',
}
const context = {
  user_id: ADA.user_id,
  today: '2026-03-05',
  now: Date.parse('2026-03-05T10:00:00Z'),
  nameOf: (of: string, id: string | null) =>
    new Map([
      [`organisation_users ${ADA.user_id}`, ADA.name],
      [`accounts ${NORTH.id}`, NORTH.name],
      [`templates ${TEMPLATE.id}`, TEMPLATE.title],
    ]).get(`${of} ${id}`),
}

beforeAll(() => {
  vi.stubGlobal('location', { origin: 'https://cairn.example' })
})

const text = fc.stringMatching(/^[A-Z][a-z ,;"'\n=+-]{0,30}[a-z]$/)
const day = fc
  .date({ min: new Date('2025-01-01'), max: new Date('2027-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

const anyPlan = fc
  .record({
    status: fc.constantFrom(...PLAN_STATUSES),
    health: fc.constantFrom(...HEALTHS, null),
    progress: fc.integer({ min: 0, max: 100 }),
    account_id: fc.constantFrom(NORTH.id, null),
    template_id: fc.constantFrom(TEMPLATE.id, null),
    days: fc.option(fc.tuple(day, day)),
    update_cadence_days: fc.constantFrom(...CADENCES, null),
    description: fc.option(text),
    success_criteria: fc.option(text),
    outcome: fc.constantFrom(...OUTCOMES, null),
    note: text,
  })
  .map(
    ({ days, note, outcome, status, progress, account_id, ...fields }): Partial<SuccessPlan> => ({
      ...fields,
      status,
      account_id,
      type: account_id === null ? 'project' : 'customer',
      owner_id: ADA.user_id,
      start_date: (days && days.toSorted()[0]) ?? null,
      end_date: (days && days.toSorted()[1]) ?? null,
      progress: status === 'completed' && outcome === 'achieved' ? 100 : progress,
      outcome: status === 'completed' ? outcome : null,
      close_note: ['completed', 'cancelled'].includes(status) ? note : null,
      last_update_at: null,
    }),
  )

/** What the import queues, as the overlay and the server apply it. */
const queued = ({ updates, clears, saved_id: _saved, ...plan }: NewPlan, at: number) => {
  const id = `imported ${at}`
  return [
    operationWith({ endpoint: 'createSuccessPlan', input: { body: { ...plan, id } } }),
    ...updates.map((update) => operationWith({ input: { path: { id }, body: update } })),
    ...(clears
      ? [operationWith({ endpoint: 'updateSuccessPlan', input: { path: { id }, body: clears } })]
      : []),
  ]
}

const rowsOf = (csv: string, plans: readonly SuccessPlan[], isUnsent = true) => {
  const table = readTable(parseCsv(csv), PLAN_COLUMNS, 'title')
  if (!table) throw new Error('No table.')
  const members = [
    {
      ...ADA,
      id: 'm',
      organisation_id: 'o',
      email: 'ada@example.com',
      avatar_url: null,
      pivot: { role: 'admin' },
      created_at: null,
    },
  ]
  const user = { name: ADA.name, email: 'ada@example.com' }
  return planRows(table, {
    plans,
    accounts: [NORTH],
    members,
    templates: [TEMPLATE],
    user,
    isUnsent: () => isUnsent,
    keeps: () => true,
    isWhole: true,
  })
}

/** The columns that an import reads, without the time of the last update: the updates have it. */
const compared = (csv: string) => {
  const [head = [], ...rows] = parseCsv(csv)
  const read = Object.values<{ title: string }>(PLAN_COLUMNS).map(({ title }) => title)
  const kept = head.flatMap((title, at) =>
    read.includes(title) && title !== PLAN_COLUMNS.update_date.title ? [at] : [],
  )
  return rows.map((row) => kept.map((at) => `${head[at]}: ${row[at]}`))
}

it('has every plan of every status after export, import and export', () => {
  fc.assert(
    fc.property(fc.array(anyPlan, { minLength: 1, maxLength: 30 }), (drafts) => {
      const plans = drafts.map((draft, at) =>
        // Several have one title.
        planWith({ ...draft, id: `p${at}`, title: `Plan ${at % 4}`, description: `No. ${at}` }),
      )
      const csv = plansCsv(plans, context)
      const rows = rowsOf(csv, [])
      expect(rows.filter(({ draft }) => !draft)).toEqual([])
      const operations = rows.flatMap(({ draft }, at) => (draft ? queued(draft, at) : []))
      const imported = overlayPlans([], operations)
      expect(compared(plansCsv(imported, context))).toEqual(compared(csv))
      // The same file again: all exist.
      expect(rowsOf(csv, imported).every(({ known }) => known)).toBe(true)
    }),
  )
})

it('takes a row that is twice in a list for one plan', () => {
  const csv = plansCsv([planWith({ title: 'Twice', account_id: NORTH.id })], context)
  const [head = '', row = ''] = csv.split('\r\n')
  const rows = rowsOf([head, row, row].join('\r\n'), [])
  expect(rows.map(({ known }) => known)).toEqual([undefined, true])
})

it('keeps a plan of a template without dates and cadence, which an empty cell would take from it', () => {
  const none = { start_date: null, end_date: null, update_cadence_days: null }
  const csv = plansCsv(
    [planWith({ ...none, template_id: TEMPLATE.id, account_id: NORTH.id })],
    context,
  )
  expect(rowsOf(csv, [])).toMatchObject([{ draft: { template_id: TEMPLATE.id, ...none } }])
  const typed = 'Title,Type,Template,Start date\nA,project,Onboarding in 90 days,\n'
  expect(rowsOf(typed, [])[0]?.draft).not.toHaveProperty('start_date')
})

it('continues an import that was interrupted before a plan had reached its status', () => {
  const paused = planWith({ title: 'Paused', status: 'paused', account_id: NORTH.id })
  const csv = plansCsv([paused], context)
  const [row] = rowsOf(csv, [])
  const operations = row?.draft ? queued(row.draft, 0) : []
  const [halfway] = rowsOf(csv, overlayPlans([], operations.slice(0, 1)))
  expect(halfway?.draft).toMatchObject({ saved_id: 'imported 0', updates: [{ status: 'paused' }] })
  expect(rowsOf(csv, overlayPlans([], operations))).toMatchObject([{ known: true }])
  // A server that counts no versions has it, and tells of no updates.
  const there = overlayPlans([], operations.slice(0, 1))
  expect(rowsOf(csv, there, false)).toMatchObject([{ known: true }])
})
