// The observer of deletions must know what their author has seen, and nothing beyond.
import { expect, test } from 'vitest'
import type { Operation } from '../../../../src/sync/core/operation.ts'
import { SimulatedEnvironment } from '../simulated-environment.ts'
import { PlainDeletions } from './plain-deletions.ts'
import { PlainModel } from './plain-model.ts'

const HOUR = 3_600_000

const DELETION: Omit<Operation, 'id' | 'input' | 'state'> = {
  v: 1,
  endpoint: 'deleteInitiative',
  user_id: '1',
  api: 'plain',
  organisation_id: '1',
  lane: 'initiative:1',
  seq: 1,
  depends_on: [],
  created_at: '2026-03-01T00:00:00.000Z',
  attempts: 0,
  not_before: 0,
  last_error: null,
}

/** A record that another person has written in, and deletions of it that this device stores. */
function deletionsOfOneRecord() {
  const world = new SimulatedEnvironment(1, false)
  const model = new PlainModel('plain', {})
  const [record] = model.api.records.tables.initiatives
  if (!record) throw new Error('The plain server has no initiative.')
  const before = { ...record }
  model.editAsAnother('initiatives', record, world.now)
  world.now += HOUR
  const deletions = new PlainDeletions(world, () => [model])
  const owner = { name: 'a-tab-1', state: 'live' } as const
  const store = (id: string, seen: object, state: Operation['state'] = 'pending') => {
    const body = { title: `deletion ${id}` }
    deletions.expect(body.title, { ...seen })
    const input = { path: { id: record.id }, body }
    deletions.changed(owner, undefined, { ...DELETION, id, input, state }, () => false)
  }
  const send = () => {
    const url = `/api/v1/initiatives/${record.id}`
    deletions.sent({ method: 'DELETE', url, headers: {}, timeoutMs: 1 }, (word) => word === 'Own')
    return world.violation?.invariant
  }
  return { deletions, before, record, store, send }
}

test('reports a deletion of what another person wrote and its author has not seen', () => {
  const { before, store, send } = deletionsOfOneRecord()
  store('1', before)
  expect(send()).toBe('R10')
})

test('an earlier edit by the same user makes the text that it replaced seen', () => {
  const { deletions, record, store, send } = deletionsOfOneRecord()
  deletions.edits('1', { title: 'Own' }, record)
  store('1', { ...record, title: 'Own' })
  expect(send()).toBeUndefined()
})

test.for([
  ['by another user', '2', { title: 'Own' }],
  ['of another field', '1', { description: 'Own' }],
] as const)('an edit %s does not make the text seen', ([, user_id, body]) => {
  const { deletions, before, record, store, send } = deletionsOfOneRecord()
  deletions.edits(user_id, body, record)
  store('1', before)
  expect(send()).toBe('R10')
})

test('an edit after the deletion does not make the text seen', () => {
  const { deletions, before, record, store, send } = deletionsOfOneRecord()
  store('1', before)
  deletions.edits('1', { title: 'Own' }, record)
  expect(send()).toBe('R10')
})

test('allows a later deletion that has seen the text while an earlier one waits for its author', () => {
  const { before, record, store, send } = deletionsOfOneRecord()
  store('1', before, 'attention')
  store('2', record)
  expect(send()).toBeUndefined()
})

test('reports a deletion that is sent while it waits for its author', () => {
  const { before, store, send } = deletionsOfOneRecord()
  store('1', before, 'attention')
  expect(send()).toBe('R10')
})
