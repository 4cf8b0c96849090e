// A PUT without a field that the record has takes the field away. Only what another device has set right before
// it cannot be in it.
import { expect, test } from 'vitest'
import { SimulatedEnvironment } from '../simulated-environment.ts'
import { PlainLedger } from './plain-ledger.ts'
import { PlainModel } from './plain-model.ts'

const HOUR = 3_600_000

/** An action that has been done, which a PUT without `completed_at` makes open again. */
function ledgerOfPuts() {
  const world = new SimulatedEnvironment(1, false)
  const model = new PlainModel('plain', {})
  const [record] = model.api.records.tables.actions
  const [user] = model.users
  if (!record || !user) throw new Error('The plain server has no action, or no user.')
  const ledger = new PlainLedger(
    world,
    'a',
    () => [model],
    () => 'plain',
  )
  const before = { ...record, completed_at: '2026-03-01T00:00:00.000Z' }
  const effect = { method: 'PUT', table: 'actions', user } as const
  const request = { method: 'PUT', url: '/api/v1/actions', headers: {}, body: '{}', timeoutMs: 1 }
  const tickElsewhere = () =>
    ledger.appliedElsewhere({
      ...effect,
      record: Object.assign(record, before),
      before: {
        ...before,
        completed_at: undefined,
      },
      request,
    })
  const put = () => {
    record.completed_at = null
    ledger.applied(model, { ...effect, record, before, request })
    return world.violation?.invariant
  }
  return { world, tickElsewhere, put }
}

test('reports a PUT that empties a field which only this device has set', () => {
  expect(ledgerOfPuts().put()).toBe('whole')
})

test('allows a PUT without a field that another device has just set', () => {
  const { tickElsewhere, put } = ledgerOfPuts()
  tickElsewhere()
  expect(put()).toBeUndefined()
})

test('reports a PUT that empties a field which another device has set long before', () => {
  const { world, tickElsewhere, put } = ledgerOfPuts()
  tickElsewhere()
  world.now += HOUR
  expect(put()).toBe('whole')
})
