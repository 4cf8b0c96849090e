import * as v from 'valibot'
import { expect, test } from 'vitest'
import { ErrorBody, TokenErrorBody, validate, validateForm } from '../../contract/errors.ts'
import { AccountDraft } from '../../contract/schemas/accounts.ts'
import { Registration } from '../../contract/schemas/people.ts'
import { SuccessPlanDraft, SuccessPlanUpdateDraft } from '../../contract/schemas/success-plans.ts'

const errorsOf = (schema: v.GenericSchema, input: unknown) => {
  const result = validate(schema, input)
  return result.ok ? {} : { ...result.errors }
}

test('a missing field is named in plain words', () => {
  expect(errorsOf(SuccessPlanDraft, { type: 'project' })).toEqual({ title: ['This is required.'] })
})

test('a plan that ends before it starts is rejected at its end date', () => {
  const plan = { title: 'A', type: 'project', start_date: '2026-03-02', end_date: '2026-03-01' }
  expect(Object.keys(errorsOf(SuccessPlanDraft, plan))).toEqual(['end_date'])
})

test('a customer plan without an account is rejected at the account', () => {
  expect(Object.keys(errorsOf(SuccessPlanDraft, { title: 'A' }))).toEqual(['account_id'])
})

test('days that do not exist are rejected', () => {
  for (const day of ['2026-02-29', '2026-13-01', '2026-1-1', '0000-01-01', 'tomorrow', ''])
    expect(
      Object.keys(errorsOf(SuccessPlanDraft, { title: 'A', type: 'project', end_date: day })),
      day,
    ).toEqual(['end_date'])
})

test('an empty update is rejected at its text', () => {
  expect(Object.keys(errorsOf(SuccessPlanUpdateDraft, { body: '  ' }))).toEqual(['body'])
  expect(errorsOf(SuccessPlanUpdateDraft, { progress: 0 })).toEqual({})
})

test('progress other than a whole number from 0 to 100 is rejected', () => {
  for (const progress of [-1, 101, 1.5, Number.NaN, Infinity, '50'])
    expect(Object.keys(errorsOf(SuccessPlanUpdateDraft, { progress })), String(progress)).toEqual([
      'progress',
    ])
})

test('a password equal to the e-mail address, in any case, is rejected', () => {
  const person = {
    name: 'Ann',
    email: 'Ann@Example.com',
    password: 'ANN@example.com',
    password_confirmation: 'ANN@example.com',
  }
  expect(Object.keys(errorsOf(Registration, person))).toEqual(['password'])
})

test('a body that is no object is rejected as a whole', () => {
  for (const input of [null, undefined, 'text', 7])
    expect(Object.keys(errorsOf(SuccessPlanUpdateDraft, input)), String(input)).toEqual(['body'])
})

test('an error response keeps its message and its record', () => {
  const body = { message: 'Changed meanwhile.', data: { id: '1' }, more: true }
  expect(v.parse(ErrorBody, body)).toEqual(body)
  expect(v.parse(ErrorBody, {})).toEqual({ message: '' })
})

test('only a body with an error code is an error of the token endpoint', () => {
  expect(v.is(TokenErrorBody, { error: 'invalid_grant' })).toBe(true)
  expect(v.is(TokenErrorBody, { message: 'Unauthenticated.' })).toBe(false)
})

test('every wrong field is reported', () => {
  const draft = { title: ' ', start_date: '2026-05-02', end_date: '2026-05-01' }
  expect(errorsOf(SuccessPlanDraft, draft)).toEqual({
    title: ['This must not be empty.'],
    end_date: ['The end date must not be before the start date.'],
    account_id: ['Choose the account that this plan is for.'],
  })
})

test('a form may refer to records with ids of any form, and the server may not', () => {
  const plan = { title: 'A plan', account_id: '2', owner_id: 'Ab-7' }
  expect(validateForm(SuccessPlanDraft, plan)).toEqual({ ok: true, value: plan })
  expect(validate(SuccessPlanDraft, plan)).toMatchObject({
    ok: false,
    errors: { account_id: [expect.anything()], owner_id: [expect.anything()] },
  })
})

test('ids in a form keep their case, as another server may compare them exactly', () => {
  const [account_id, owner_id] = [
    '0DBF22B8-3F64-41C7-AADB-CA0BFF69E9F1',
    '8B130F3B-F4AC-41B1-A6CB-97E223C8E27A',
  ]
  const plan = { title: 'A plan', account_id, owner_id }
  expect(validateForm(SuccessPlanDraft, plan)).toEqual({ ok: true, value: plan })
  const account = { name: 'Acme', contacts: [{ id: owner_id, name: 'Bo', is_primary: true }] }
  expect(validateForm(AccountDraft, account)).toEqual({ ok: true, value: account })
  expect(validate(SuccessPlanDraft, plan)).toMatchObject({
    value: { account_id: account_id.toLowerCase() },
  })
})

test('a form with an id of another form still needs its other fields', () => {
  const errors = (input: object) => validateForm(SuccessPlanDraft, input)
  expect(errors({ account_id: '2' })).toMatchObject({
    ok: false,
    errors: { title: ['This is required.'] },
  })
  const invalid = 'This is not a valid id.'
  expect(errors({ title: 'A plan', account_id: '' })).toMatchObject({
    errors: { account_id: expect.arrayContaining([invalid]) },
  })
  expect(
    errors({ title: 'A plan', account_id: '2', start_date: '2026-02-01', end_date: '2026-01-01' }),
  ).toMatchObject({ ok: false, errors: { end_date: [expect.anything()] } })
})
