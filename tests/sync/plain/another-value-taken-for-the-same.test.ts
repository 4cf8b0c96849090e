// Two values, or two records, are taken for one, so that what was lost counts as arrived.
import { expect, test } from 'vitest'
import { engineTable } from '../../../contract/engine-table.ts'
import { isSameValue } from '../../../src/sync/core/arrival/content.ts'
import { recognise } from '../../../src/sync/core/arrival/recognise.ts'
import { isComparable } from '../../../src/sync/core/conflicts/comparable.ts'
import type { Operation } from '../../../src/sync/core/operation.ts'

const { calls } = engineTable

test.each([
  // A browser reads both as January of 2001.
  ['Plan 1', 'Step 1'],
  ['2026-13-45T10:00', '2026-14-46T10:00'],
  ['9007199254740993', '9007199254740992'],
])('“%s” is another text than “%s”', (asked, shown) => {
  expect(isSameValue(asked, shown)).toBe(false)
})

test('an instant with and without parts of a second is the same', () => {
  expect(isSameValue('2026-11-26T10:00:00.750Z', '2026-11-26T10:00:00+00:00')).toBe(true)
})

const update = (fields: Partial<Operation> = {}): Operation => ({
  id: crypto.randomUUID(),
  v: 1,
  endpoint: 'postPlanUpdate',
  input: { path: { id: '1' }, body: { id: crypto.randomUUID(), body: 'They signed.' } },
  user_id: '7',
  organisation_id: '3',
  lane: 'success_plans/1',
  seq: 1,
  depends_on: [],
  created_at: '2026-11-26T10:00:00.000Z',
  state: 'pending',
  attempts: 1,
  attempt: { at: 0, known: [] },
  not_before: 0,
  last_error: null,
  ...fields,
})
const record = (id: string) => ({
  id,
  success_plan_id: '1',
  user_id: null,
  body: 'They signed.',
  written_at: '2026-11-26T10:00:00.000Z',
})

test.each([
  ['the same twice', {}, 'found'],
  ['one of another user', { user_id: '8' }, 'undecided'],
  ['one in another organisation', { organisation_id: '4' }, 'undecided'],
  ['one by another call', { endpoint: 'createSuccessPlan' }, 'undecided'],
  ['one that was not attempted', { attempts: 0 }, 'undecided'],
] as const)('of two equal records, with %s waiting: %s', (_, other, kind) => {
  const operation = update()
  const surroundings = { operations: [operation, update(other)], taken: new Set<string>() }
  const answer = recognise(operation, [record('11'), record('12')], surroundings, calls)
  expect(answer.kind).toBe(kind)
})

test('an edit is compared with no other record than its own', () => {
  const base = { version: 1, fields: { title: 'One' } }
  const edit = update({
    endpoint: 'updateSuccessPlan',
    input: { path: { id: '1' }, body: { title: 'Two' } },
    base,
  })
  expect(isComparable(edit, { id: '1', version: 2 }, calls)).toBe(true)
  expect(isComparable(edit, { id: '2', version: 2 }, calls)).toBe(false)
  expect(isComparable(edit, { id: '1', version: 1 }, calls)).toBe(false)
  expect(isComparable({ ...edit, base: undefined }, { id: '1', version: 2 }, calls)).toBe(false)
})
