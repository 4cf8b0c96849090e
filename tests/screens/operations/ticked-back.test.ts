// @vitest-environment jsdom
// An action that was ticked by mistake and ticked back was open, whatever it had been before.
import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { tickAction } from '../../../src/data/edit-action.ts'
import { createSync, sync } from '../../../src/sync/client.ts'
import type { Operation } from '../../../src/sync/core/operation.ts'
import { actionWith } from '../fixtures/record-fixtures.ts'

beforeEach(() => void createSync(() => Promise.reject(new Error('No engine.'))))

test.for(['todo', 'in-progress', 'cancelled'])(
  'unticking an action restores the status %s',
  async (status) => {
    const enqueue = vi.spyOn(sync(), 'enqueue').mockResolvedValue({ id: 'one' } as Operation)
    const action = actionWith({ status })
    await tickAction(action, true)
    await tickAction({ ...action, status: 'done' }, false)
    const sent = enqueue.mock.calls.map(([, { body }]) => (body as { status: string }).status)
    expect(sent).toEqual(['done', status])
  },
)

test('an action that was done before this page was opened becomes open', async () => {
  const enqueue = vi.spyOn(sync(), 'enqueue').mockResolvedValue({ id: 'one' } as Operation)
  await tickAction(actionWith({ id: 'done-before', status: 'done' }), false)
  expect(enqueue.mock.calls[0]?.[1].body).toMatchObject({ status: 'todo' })
})

test('unticking restores the status although the server has made the action’s id meanwhile', async () => {
  const enqueue = vi.spyOn(sync(), 'enqueue').mockResolvedValue({ id: 'one' } as Operation)
  const action = actionWith({ id: 'made-here', status: 'in-progress' })
  await tickAction(action, true)
  sync().aliases.set(new Map([['made-here', { table: 'actions', id: '77' }]]))
  await tickAction({ ...action, id: '77', status: 'done' }, false)
  expect(enqueue.mock.calls[1]?.[1].body).toMatchObject({ status: 'in-progress' })
})
