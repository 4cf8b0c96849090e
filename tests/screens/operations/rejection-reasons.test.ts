// The message for each kind of rejection: the reason, and an action that can succeed.
import { expect, it } from 'vitest'
import { PLAN_LIMIT_REACHED } from '../../../contract/values.ts'
import { readFieldErrors } from '../../../contract/text/read-errors.ts'
import {
  rejectionReason,
  type OperationContext,
} from '../../../src/widgets/operations/rejection-reasons.ts'
import { NEVER_RETURNED } from '../../../src/sync/core/arrival/acknowledge.ts'
import type { OperationError } from '../../../src/sync/core/operation.ts'

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

it('offers no resend for a deleted record', () => {
  const { text, recoveries } = reasonFor({ status: 404, message: 'Not Found' })
  expect(text).toMatch(/^This plan has been deleted.*Copy your text/)
  expect(recoveries).toEqual([])
  expect(reasonFor({ status: 404 }, 'updateAction').text).toMatch(/^This action has been deleted/)
})

it('names who can grant the missing permission', () => {
  const { text, recoveries } = reasonFor({ status: 403, message: 'You may not do this.' })
  expect(text).toContain('may not do this in Lumen. Your role may have changed')
  expect(text).toContain('Ask Mia Okafor or Jon Reyes.')
  expect(recoveries).toEqual(['resend'])
  expect(reasonFor({ status: 403 }, undefined, { managers: [] }).text).toContain('Ask an admin')
})

it('says why an action is forbidden, where the server does, and guesses no other reason', () => {
  const message = 'Only an admin can delete what someone else created.'
  const { text } = reasonFor({ status: 403, message })
  expect(text).toBe(
    `You may not do this in Lumen. The server said: ${message} Ask Mia Okafor or Jon Reyes.`,
  )
})

it('does not claim that someone else changed what a server rejects with 412', () => {
  const { text, recoveries } = reasonFor({ status: 412, message: 'A precondition failed.' })
  expect(text).toContain('may have been changed')
  expect(text).toContain('The server said: A precondition failed.')
  expect(recoveries).toEqual(['edit', 'resend'])
})

it('says that the server lacks a call, also where it was not asked', () => {
  const { text, recoveries } = reasonFor({ status: 501 }, 'putSavedView')
  expect(text).toBe('The server does not offer this any more. Send it again once it does.')
  expect(recoveries).toEqual(['resend'])
  const said = reasonFor({ status: 501, message: 'Not implemented.' })
  expect(said.text).toMatch(/The server said: Not implemented\.$/)
})

it('states the limit that was reached and how to make room', () => {
  const limit = {
    status: 403,
    code: PLAN_LIMIT_REACHED,
    message: 'The Free plan includes 10 open success plans. Upgrade to add more.',
  }
  const { text, recoveries } = reasonFor(limit, 'createSuccessPlan')
  expect(text).toContain('10 open success plans')
  expect(text).toContain('Complete or cancel a plan, then send this again.')
  expect(recoveries).toEqual(['resend'])
  expect(reasonFor(limit, 'createAccount').text).toContain('Delete an account')
  expect(reasonFor({ ...limit, message: '' }, 'createSuccessPlan').text).toContain(
    'has reached a limit',
  )
})

it('offers larger plans to the owner only', () => {
  const limit = { status: 403, code: PLAN_LIMIT_REACHED, message: '' }
  const recoveries = (is_owner: boolean) =>
    reasonFor(limit, 'createSuccessPlan', { is_owner }).recoveries
  expect(recoveries(true)).toContain('plans')
  expect(recoveries(false)).not.toContain('plans')
})

it('names an invalid field as its form does', () => {
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

it('shows the server’s message when no field is named', () => {
  expect(reasonFor({ status: 422, message: 'This already exists.' }).text).toBe(
    'The server said: This already exists.',
  )
  expect(reasonFor({ status: 400 }).text).toBe('The server said: 400')
})

it('offers to edit, not to resend, what is too large', () => {
  const { text, recoveries } = reasonFor({ status: 413 })
  expect(text).toContain('Shorten it')
  expect(recoveries).toEqual(['edit'])
})

it('offers a new key when the key was used for another request', () => {
  const errors = { 'Idempotency-Key': ['This key was used for another request.'] }
  expect(reasonFor({ status: 422, errors })).toMatchObject({
    fields: [],
    recoveries: ['resend-as-new'],
  })
})

it('offers no resend for a superseded update', () => {
  expect(reasonFor({ status: 409, code: 'content_differs' })).toMatchObject({
    text: 'An earlier version of this has arrived. Copy the text and post it again.',
    recoveries: [],
  })
})

it.each([400, 409, 422])('names the fields that the server rejects with %i', (status) => {
  const errors = { name: ['Too long.'] }
  expect(reasonFor({ status, errors }, 'createAccount')).toEqual({
    text: 'The server cannot accept this as it is:',
    fields: [{ name: 'Name', message: 'Too long.' }],
    recoveries: ['edit', 'resend'],
  })
})

it('shows what the server says of another conflict', () => {
  const message = 'There is an account of this name.'
  expect(reasonFor({ status: 409, message }, 'createAccount')).toMatchObject({
    text: `The server said: ${message}`,
    recoveries: ['edit', 'resend'],
  })
})

it('says that nothing was sent where the record could not be read before', () => {
  const { text, recoveries } = reasonFor({ code: 'unreadable' }, 'updateAccount')
  expect(text).toContain('could not be understood, so this was not sent')
  expect(recoveries).toEqual(['resend'])
})

it('offers to edit or resend a change that cannot be compared', () => {
  expect(reasonFor({ status: 412 }, 'updateSuccessPlan').recoveries).toEqual(['edit', 'resend'])
})

it('offers to send again what the server did not keep, unless it has no place for it', () => {
  const lost = { code: 'not_kept', errors: { notes: [] } }
  const reason = reasonFor(lost, 'updateAccount')
  expect(reason.text).toBe('The server answered, but did not keep: Notes.')
  expect(reason.recoveries).toEqual(['edit', 'resend'])
  const never = { ...lost, errors: { notes: [NEVER_RETURNED] } }
  expect(reasonFor(never, 'updateAccount')).toEqual({ ...reason, recoveries: [] })
  const both = { ...lost, errors: { notes: [NEVER_RETURNED], name: [] } }
  expect(reasonFor(both, 'updateAccount').recoveries).toEqual(['edit', 'resend'])
})

it('says that a record was not deleted, and what the server says of it', () => {
  const lost = { status: 0, code: 'not_deleted', message: '' }
  const reason = reasonFor(lost, 'deleteAccount')
  expect(reason).toMatchObject({
    text: 'The server answered, but did not delete this.',
    recoveries: ['resend'],
  })
  const { text } = reasonFor({ ...lost, message: 'It has plans.' }, 'deleteAccount')
  expect(text).toBe(`${reason.text} The server said: It has plans.`)
})

it.each([
  [{ title: 'The title is required.' }, { title: ['The title is required.'] }, []],
  [{ title: [{ message: 'Too long.' }, 'Odd.'] }, { title: ['Too long.', 'Odd.'] }, []],
  [{ title: null, name: ['Taken.'] }, { name: ['Taken.'] }, []],
  [[{ field: 'title', message: 'Too long.' }], { title: ['Too long.'] }, []],
  [['Not today.'], {}, ['Not today.']],
  ['Not today.', {}, ['Not today.']],
  [null, {}, []],
])('errors in the shape %j are read', (errors, fields, others) => {
  expect(readFieldErrors(errors)).toEqual({ fields, others })
})

it('says that something else answers in place of the server, and offers to send it again', () => {
  const { text, recoveries } = reasonFor({ status: 0, code: 'foreign_answer' }, 'createAccount')
  expect(text).toContain('a proxy or a firewall')
  expect(recoveries).toEqual(['resend'])
})
