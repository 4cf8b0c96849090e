import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAnswer } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'

const plan = { id: 'p-1', title: 'Onboarding', status: 'planned' }
const update = { id: 'u-1', success_plan_id: 'p-1', written_at: '2026-03-01T09:00:00.000Z' }
const value = (row: Parameters<typeof readAnswer>[0], json: unknown) => {
  const read = readAnswer(row, json)
  return read.ok ? read.value : 'not an answer of this call'
}

test('a record is read with and without its envelope', () => {
  const read = value(endpoints.getSuccessPlan, { data: plan })
  expect(read).toMatchObject(plan)
  expect(value(endpoints.getSuccessPlan, plan)).toEqual(read)
})

test('a list is read as a plain array, and without meta', () => {
  const read = value(endpoints.listSuccessPlans, [plan])
  expect(read).toMatchObject({ data: [plan], meta: null })
  expect(value(endpoints.listSuccessPlans, { data: [plan], meta: { total: 'many' } })).toEqual(read)
})

test('numeric ids and days in several formats are accepted', () => {
  const dressed = { ...plan, id: 7, account_id: 9, end_date: '2026-03-01T00:00:00.000000Z' }
  expect(value(endpoints.getSuccessPlan, dressed)).toMatchObject({
    id: '7',
    account_id: '9',
    end_date: '2026-03-01',
  })
})

test('a day stays the same in every time zone', () => {
  const dressed = { ...plan, end_date: '2026-03-01T23:59:59-11:00' }
  expect(value(endpoints.getSuccessPlan, dressed)).toMatchObject({ end_date: '2026-03-01' })
})

test('unknown keys and statuses are accepted', () => {
  const strange = { ...plan, status: 'blocked', surprise: { deep: [1] } }
  expect(value(endpoints.getSuccessPlan, strange)).toMatchObject({ status: 'blocked' })
})

test('missing and null fields read the same', () => {
  const bare = value(endpoints.getSuccessPlan, plan)
  const nulls = { ...plan, health: null, end_date: null, account_id: null, description: null }
  expect(value(endpoints.getSuccessPlan, nulls)).toEqual(bare)
})

test('a page of changes may omit unchanged collections', () => {
  const page = { data: { success_plan_updates: [update] }, version: 3, more: false }
  expect(value(endpoints.getChanges, page)).toMatchObject({
    data: { success_plans: [], accounts: [], organisation_users: [], deleted: [] },
    version: 3,
  })
})

test('a token response requires both tokens', () => {
  const both = { access_token: 'a', refresh_token: 'r' }
  expect(value(endpoints.issueToken, both)).toMatchObject(both)
  for (const half of [{ access_token: 'a' }, { ...both, refresh_token: '' }])
    expect(value(endpoints.issueToken, half)).toBe('not an answer of this call')
})

test('other values are rejected as responses', () => {
  const rows = [
    endpoints.getSuccessPlan,
    endpoints.listSuccessPlans,
    endpoints.getChanges,
    endpoints.issueToken,
    endpoints.getUserinfo,
    endpoints.postPlanUpdate,
  ]
  const elsewhere = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    fc.record({ message: fc.string() }),
    fc.record({
      data: fc.oneof(fc.string(), fc.constant(null), fc.record({ id: fc.constant(null) })),
    }),
  )
  fc.assert(
    fc.property(elsewhere, fc.constantFrom(...rows), (json, row) => {
      expect(readAnswer(row, json).ok).toBe(false)
    }),
  )
})
