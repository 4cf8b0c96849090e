// Two values, or two records, are taken for one, so that what was lost counts as arrived.
import { expect, test } from 'vitest'
import { engineTable } from '../../../contract/engine-table.ts'
import { isSameValue } from '../../../src/sync/core/arrival/content.ts'
import { recognise } from '../../../src/sync/core/arrival/recognise.ts'
import { isComparable } from '../../../src/sync/core/conflicts/comparable.ts'
import { RecordChange } from '../../../src/sync/core/conflicts/three-way-merge.ts'
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
  lane: 'success-plan:1',
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

const found = (records: ReturnType<typeof record>[], body = {}) => {
  const operation = update()
  Object.assign(operation.input.body as object, body)
  return recognise(operation, records, { operations: [operation], taken: new Set() }, calls).kind
}

test('a record of another plan is not the one that was sent', () => {
  const other = { ...record('11'), success_plan_id: '2' }
  expect(found([other])).toBe('missing')
  expect(found([other, record('12')])).toBe('found')
})

test('a record with the same text is recognised although its server did not take the rest', () => {
  expect(found([record('11')], { progress: 40 })).toBe('found')
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

test('an own title of another kind of record with the same id is not what someone else wrote here', () => {
  const edit = update({
    endpoint: 'updateSuccessPlan',
    input: { path: { id: '1' }, body: { title: 'Three' } },
    base: { version: 1, fields: { title: 'One' } },
  })
  const theirs = { id: '1', version: 0, title: 'Two' }
  const isConflict = (endpoint: string) => {
    const own = update({ endpoint, input: { path: { id: '1' }, body: { title: 'Two' } } })
    return new RecordChange(edit, { theirs }, [own], calls).isConflict(edit, 'title', calls)
  }
  expect(isConflict('updateInitiative')).toBe(true)
  expect(isConflict('updateSuccessPlan')).toBe(false)
})
