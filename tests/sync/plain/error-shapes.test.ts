// A server writes its errors in another shape than the contract, and the form shows no field's message.
import { expect, test } from 'vitest'
import { readErrorBody } from '../../../contract/text/read-errors.ts'

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
