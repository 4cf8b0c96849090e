// Operations as text: titles, fields and values for the sync centre, the clipboard and a file.
import { expect, it } from 'vitest'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { endpoints } from '../../../contract/endpoints.ts'
import {
  describeFields,
  describeKept,
  textOf,
  titleOf,
} from '../../../src/data/operations/describe-operation.ts'
import { isOfNewerVersion } from '../../../src/data/operations/operation-call.ts'
import type { NameOf } from '../../../src/data/record-id.ts'
import { fieldName, fieldValue } from '../../../src/data/operations/field-labels.ts'
import { operationWith, PLAN_ID, posting } from '../fixtures/record-fixtures.ts'

const NAMES = new Map([
  [`success_plans ${PLAN_ID}`, 'Roll out alerts'],
  [`actions ${PLAN_ID}`, 'Call Mira'],
  ['organisation_users 1', 'Mia Okafor'],
  ['accounts 1', 'Northwind'],
  ['former_members gone', ''],
])
const nameOf: NameOf = (of, id) => NAMES.get(`${of} ${id}`)

const editing = (body: object) =>
  operationWith({ endpoint: 'updateSuccessPlan', input: { path: { id: PLAN_ID }, body } })

it('has a title without the name of a plan that is not on this device', () => {
  expect(titleOf(posting({}), nameOf)).toBe('Update on “Roll out alerts”')
  expect(titleOf(posting({}), () => undefined)).toBe('Update of a plan')
  expect(titleOf(editing({}), () => undefined)).toBe('Edit to a plan')
})

it('says of a call that it does not know that a newer version made it', () => {
  const newer = operationWith({ endpoint: 'startPlan', input: { body: { id: 'a' } } })
  expect(titleOf(newer, nameOf)).toBe('A change made in a newer version of Cairn')
  const queued = Object.entries<Endpoint>(endpoints).filter(([, row]) => row.offlinePolicy)
  expect(queued.filter(([name]) => isOfNewerVersion({ endpoint: name }))).toEqual([])
})

it('names a new record as its author did', () => {
  const making = (endpoint: string, body: object) => operationWith({ endpoint, input: { body } })
  expect(titleOf(making('createAccount', { id: 'a', name: 'Northwind' }), nameOf)).toBe(
    'New account “Northwind”',
  )
  expect(titleOf(making('createAction', { id: 'b', title: 'Call' }), nameOf)).toBe(
    'New action “Call”',
  )
})

it('names a deleted record, though the device has it no more', () => {
  const deletion = operationWith({
    endpoint: 'deleteAction',
    input: { path: { id: 'a' }, body: { title: 'Call' } },
  })
  expect(titleOf(deletion, () => undefined)).toBe('Deletion of “Call”')
  expect(textOf(deletion, nameOf)).toBe('')
  const ofEarlier = operationWith({ endpoint: 'deleteAction', input: { path: { id: 'a' } } })
  expect(titleOf(ofEarlier, () => undefined)).toBe('Deletion of an action')
})

it('names a saved view, without the search parameters that it stands for', () => {
  const path = { id: 'v' }
  const body = { name: 'By month', search: 'group=month' }
  const put = operationWith({ endpoint: 'putSavedView', input: { path, body } })
  expect(titleOf(put, nameOf)).toBe('Saved view “By month”')
  expect(textOf(put, nameOf)).toBe('Name: By month')
  const deletion = operationWith({ endpoint: 'deleteSavedView', input: { path } })
  expect(titleOf(deletion, nameOf)).toBe('Deletion of a saved view')
})

it('says what a merge kept of others, without technical fields, and long texts in short', () => {
  const kept = { health: 'at-risk', owner_id: '1', position: 3, description: 'x'.repeat(100) }
  expect(describeKept({ kept }, nameOf)).toEqual([
    'Health: At risk',
    'Owner: Mia Okafor',
    `Description: ${'x'.repeat(80)}…`,
  ])
  expect(describeKept({}, nameOf)).toEqual([])
})

it('finds the name of an action by the id in its body', () => {
  const edit = operationWith({
    endpoint: 'updateAction',
    input: { body: { id: PLAN_ID, status: 'done' } },
  })
  expect(titleOf(edit, nameOf)).toBe('Edit to “Call Mira”')
})

it('formats each value for reading', () => {
  const cases = [
    ['progress', 60, '60%'],
    ['end_date', '2026-03-01', 'Mar 1, 2026'],
    // A server may number its accounts and its users from 1.
    ['owner_id', '1', 'Mia Okafor'],
    ['account_id', '1', 'Northwind'],
    ['owner_id', 'gone', 'a former member'],
    ['owner_id', 'not-read', 'unknown'],
    ['account_id', 'gone', 'unknown'],
    ['status', 'in-progress', 'In progress'],
    ['update_cadence_days', 14, 'Every 14 days'],
    ['arr', 48_000, '48,000'],
    ['tags', ['pilot', 'emea'], 'pilot, emea'],
    ['contacts', [{ name: 'Mira' }, { name: 'Jo' }], 'Mira, Jo'],
    ['description', null, 'nothing'],
    ['title', 'in-progress', 'in-progress'],
  ] as const
  for (const [field, value, words] of cases) expect(fieldValue(field, value, nameOf)).toBe(words)
  expect(fieldName('success_criteria')).toBe('Success criteria')
  expect(fieldName('somebody_elses_field')).toBe('Somebody elses field')
})

it('copies the fields of an update along with its text', () => {
  expect(textOf(posting({ body: 'Go-live agreed.', progress: 60 }), nameOf)).toBe(
    'Go-live agreed.\n\nProgress: 60%',
  )
  expect(textOf(posting({ body: 'Only words.' }), nameOf)).toBe('Only words.')
})

it('leaves out ids and timestamps', () => {
  const fields = describeFields(posting({ progress: 60 }), nameOf).map(({ name }) => name)
  expect(fields).toEqual(['Progress'])
})

it('shows the previous value of each edited field', () => {
  const edit = {
    ...editing({ owner_id: '1', description: null }),
    base: { version: 3, fields: { owner_id: 'gone', description: 'Old words.' } },
  }
  expect(describeFields(edit, nameOf)).toEqual([
    { name: 'Owner', value: 'Mia Okafor', from: 'a former member' },
    { name: 'Description', value: 'nothing', from: 'Old words.' },
  ])
})
