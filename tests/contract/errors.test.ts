import * as v from 'valibot'
import { expect, test } from 'vitest'
import {
  ErrorBody,
  TokenErrorBody,
  readErrorBody,
  validate,
  validateForm,
} from '../../contract/errors.ts'
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

test.for<[object, string]>([
  [{ message: 'No.' }, 'No.'],
  [{ message: ['Not today.', 'Not here.'] }, 'Not today. Not here.'],
  [{ error: { code: 'E1', message: 'The quota is used up.' } }, 'The quota is used up.'],
  [{ error: 'You may not do this.' }, 'You may not do this.'],
  [{ error: 'Forbidden' }, ''],
  [{ error: 'invalid_grant', error_description: 'It is wrong.' }, 'It is wrong.'],
  [{ detail: 'Not found here.' }, 'Not found here.'],
  [{ type: 'about:blank', title: 'Gone', detail: 'It was archived.' }, 'It was archived.'],
  [{ title: 'Out of credit' }, 'Out of credit'],
  [{ errors: ['Not today.'] }, 'Not today.'],
  [{ message: { text: 'Odd.' } }, 'Odd.'],
  [{ message: null, detail: 7 }, ''],
  [{ title: ['Too long.'], non_field_errors: ['Odd.', 'Very.'] }, 'Odd. Very.'],
  [{ fieldErrors: { title: ['Too long.'] }, formErrors: ['Odd.'] }, 'Odd.'],
  [{ message: 'Invalid.', errors: { base: ['Odd.'], title: ['Too long.'] } }, 'Invalid.'],
  [{ errors: { base: ['Odd.'], title: ['Too long.'] } }, 'Odd.'],
  [{ name: ['Too long.'] }, ''],
])('the message of %j is read', ([body, message]) => {
  expect(readErrorBody({ ...body }).message).toBe(message)
})

test.for<[object]>([
  [{ errors: { title: 'Too long.' } }],
  [{ errors: [{ path: 'title', msg: 'Too long.' }] }],
  [{ detail: [{ loc: ['body', 'title'], msg: 'Too long.' }] }],
  [{ error: { message: 'Invalid.', errors: { title: ['Too long.'] } } }],
  // Django REST framework and Rails
  [{ title: ['Too long.'] }],
  [{ title: ['Too long.'], non_field_errors: ['Odd.'] }],
  // JSON:API
  [{ errors: [{ detail: 'Too long.', source: { pointer: '/data/attributes/title' } }] }],
  // Spring
  [{ errors: [{ field: 'title', defaultMessage: 'Too long.', code: 'Size' }] }],
  [{ status: 400, errors: [{ field: 'Title', defaultMessage: 'Too long.' }], path: '/api/plans' }],
  // Zod: the error, its issues, `flatten`, `format` and `treeifyError`
  [{ errors: [{ path: ['title'], message: 'Too long.', code: 'too_big' }] }],
  [{ issues: [{ path: ['title'], message: 'Too long.', code: 'too_big' }], name: 'ZodError' }],
  [{ success: false, error: { issues: [{ path: ['title'], message: 'Too long.' }] } }],
  [{ fieldErrors: { title: ['Too long.'] }, formErrors: [] }],
  [{ error: { fieldErrors: { title: ['Too long.'] }, formErrors: ['Odd.'] } }],
  [{ errors: { fieldErrors: { title: ['Too long.'] }, formErrors: [] } }],
  [{ message: 'Invalid.', details: { fieldErrors: { title: ['Too long.'] }, formErrors: [] } }],
  [{ error: { code: 'E1', details: { fieldErrors: { title: ['Too long.'] }, formErrors: [] } } }],
  [{ _errors: [], title: { _errors: ['Too long.'] } }],
  [{ error: { _errors: ['Odd.'], title: { _errors: ['Too long.'] } } }],
  [{ errors: [], properties: { title: { errors: ['Too long.'] } } }],
  // Valibot
  [{ issues: { nested: { title: ['Too long.'] }, root: ['Odd.'] } }],
  [{ issues: [{ path: [{ key: 'title' }], message: 'Too long.' }] }],
  // Joi, Yup, Ajv, class-validator and Strapi
  [{ details: [{ path: ['title'], message: 'Too long.', type: 'string.max' }] }],
  [{ errors: ['Too long.'], inner: [{ path: 'title', message: 'Too long.' }], name: 'Invalid' }],
  [{ errors: [{ instancePath: '/title', message: 'Too long.', keyword: 'maxLength' }] }],
  [{ message: [{ property: 'title', constraints: { maxLength: 'Too long.' } }], statusCode: 400 }],
  [{ data: null, error: { details: { errors: [{ path: ['title'], message: 'Too long.' }] } } }],
  // API Platform and Symfony
  [{ detail: 'title: Too long.', violations: [{ propertyPath: 'title', message: 'Too long.' }] }],
  [{ title: 'Validation Failed', violations: [{ propertyPath: 'title', title: 'Too long.' }] }],
  // RFC 9457
  [{ title: 'Invalid.', 'invalid-params': [{ name: 'title', reason: 'Too long.' }] }],
  [{ title: 'Invalid.', invalidParams: [{ name: 'title', reason: 'Too long.' }] }],
  [{ title: 'Invalid.', errors: [{ detail: 'Too long.', pointer: '#/title' }] }],
  // ASP.NET, drf-standardized-errors, Microsoft, Google and Stripe
  [{ title: 'Invalid.', errors: { Title: ['Too long.'], $: ['Odd.'] }, traceId: '1' }],
  [{ errors: { '$.title': ['Too long.'] } }],
  [{ type: 'validation_error', errors: [{ code: 'max', detail: 'Too long.', attr: 'title' }] }],
  [{ error: { code: 'E1', details: [{ target: 'title', message: 'Too long.' }] } }],
  [
    {
      error: {
        code: 400,
        message: 'Invalid.',
        details: [{ fieldViolations: [{ field: 'title', description: 'Too long.' }] }],
      },
    },
  ],
  [{ error: { message: 'Too long.', param: 'title' } }],
])('the fields of %j are read', ([body]) => {
  expect({ ...readErrorBody({ ...body }).fields }).toEqual({ title: ['Too long.'] })
})

test.for<[object, string]>([
  [{ errors: { 'contacts.0.email': ['Odd.'] } }, 'contacts.0.email'],
  [{ errors: { 'Contacts[0].Email': ['Odd.'] } }, 'contacts.0.email'],
  [{ detail: [{ loc: ['body', 'contacts', 0, 'email'], msg: 'Odd.' }] }, 'contacts.0.email'],
  [{ violations: [{ propertyPath: 'contacts[0].email', message: 'Odd.' }] }, 'contacts.0.email'],
  [{ errors: [{ field: 'accountId', defaultMessage: 'Odd.' }] }, 'account_id'],
  [{ errors: { body: ['Odd.'] } }, 'body'],
  [{ errors: { 'Idempotency-Key': ['Odd.'] } }, 'Idempotency-Key'],
  [{ errors: { message: ['Odd.'] } }, 'message'],
  [{ detail: [{ loc: ['body', 'body'], msg: 'Odd.' }] }, 'body'],
])('the fields of %j have the names of the contract', ([body, name]) => {
  expect({ ...readErrorBody({ ...body }).fields }).toEqual({ [name]: ['Odd.'] })
})

test.for<[object]>([
  [{ timestamp: 1, status: 400, error: 'Bad Request', path: '/api/v1/success-plans' }],
  [{ message: 'No.', details: { request: 'r-1', limit: 5 } }],
  [{ error: { code: 'E1', message: 'The quota is used up.', details: [{ reason: 'quota' }] } }],
  [{ errors: [{ message: 'Not here.', extensions: { code: 'E1' } }] }],
])('%j names no field', ([body]) => {
  expect({ ...readErrorBody({ ...body }).fields }).toEqual({})
})
