// What a refusal is told as: for each kind why, and a way on that can work.
import { expect, it } from 'vitest'
import { PLAN_LIMIT_REACHED } from '../../contract/errors.ts'
import { rejectionReason, type OperationContext } from '../../src/features/operations/reasons.ts'
import type { OperationError } from '../../src/sync/operation.ts'

const SITUATION: OperationContext = {
  organisation: 'Lumen',
  managers: ['Mia Okafor', 'Jon Reyes'],
  is_owner: false,
}

const reasonFor = (
  error: Partial<OperationError>,
  endpoint = 'postPlanUpdate',
  situation: Partial<OperationContext> = {},
) =>
  rejectionReason(
    { endpoint, last_error: { status: 0, message: '', ...error } },
    { ...SITUATION, ...situation },
  )

it('a deleted plan is offered to be sent to again', () => {
  const { text, recoveries } = reasonFor({ status: 404, message: 'Not Found' })
  expect(text).toMatch(/^This plan was deleted meanwhile.*Copy your words/)
  expect(recoveries).toEqual([])
  expect(reasonFor({ status: 404 }, 'updateAction').text).toMatch(/^This action was deleted/)
})

it('somebody who may not is not told whom to ask', () => {
  const { text, recoveries } = reasonFor({ status: 403, message: 'You may not do this.' })
  expect(text).toContain('in Lumen any more')
  expect(text).toContain('Ask Mia Okafor or Jon Reyes.')
  expect(recoveries).toEqual(['resend'])
  expect(reasonFor({ status: 403 }, undefined, { managers: [] }).text).toContain('Ask an admin')
})

it('a reached limit says neither how much is allowed nor how to make room', () => {
  const limit = {
    status: 403,
    code: PLAN_LIMIT_REACHED,
    message: 'The free plan allows 10 open success plans. Upgrade to add more.',
  }
  const { text, recoveries } = reasonFor(limit, 'createSuccessPlan')
  expect(text).toContain('10 open success plans')
  expect(text).toContain('Complete or cancel a plan, then send this again.')
  expect(recoveries).toEqual(['resend'])
  expect(reasonFor(limit, 'createAccount').text).toContain('Delete an account')
  expect(reasonFor({ ...limit, message: '' }, 'createSuccessPlan').text).toContain('allows no more')
})

it('only the owner is shown what a larger plan costs', () => {
  const limit = { status: 403, code: PLAN_LIMIT_REACHED, message: '' }
  const recoveries = (is_owner: boolean) =>
    reasonFor(limit, 'createSuccessPlan', { is_owner }).recoveries
  expect(recoveries(true)).toContain('plans')
  expect(recoveries(false)).not.toContain('plans')
})

it('a field that is wrong is called by the name of its column', () => {
  const { fields, recoveries } = reasonFor({
    status: 422,
    message: 'Invalid.',
    errors: { end_date: ['Too early.', 'Not a day.'], 'contacts.0.email': ['No address.'] },
  })
  expect(fields).toEqual([
    { name: 'End date', message: 'Too early. Not a day.' },
    { name: 'Contacts, email', message: 'No address.' },
  ])
  expect(recoveries).toEqual(['edit', 'resend'])
})

it('a refusal without fields loses the words of the server', () => {
  expect(reasonFor({ status: 422, message: 'This exists already.' }).text).toBe(
    'The server said: This exists already.',
  )
  expect(reasonFor({ status: 400 }).text).toBe('The server said: 400')
})

it('what is too large is to be sent again as it is', () => {
  const { text, recoveries } = reasonFor({ status: 413 })
  expect(text).toContain('Shorten it')
  expect(recoveries).toEqual(['edit'])
})

it('a key that was used for something else is used again', () => {
  const errors = { 'Idempotency-Key': ['This key was used for another request.'] }
  expect(reasonFor({ status: 422, errors })).toMatchObject({
    fields: [],
    recoveries: ['resend-as-new'],
  })
})

it('words that others took the place of can be sent again', () => {
  expect(reasonFor({ status: 409 }).recoveries).toEqual([])
})

it('a change that cannot be compared has no way on', () => {
  expect(reasonFor({ status: 412 }, 'updateSuccessPlan').recoveries).toEqual(['edit', 'resend'])
})
