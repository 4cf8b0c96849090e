// @vitest-environment jsdom
// Where the sync centre leads to edit what waits.
import { expect, it } from 'vitest'
import { operationLink } from '../../src/app/place-of-operation.ts'
import { operationWith, PLAN_ID, posting } from './operations.ts'

const planOf = (id: string) => (id === 'known' ? PLAN_ID : undefined)
const place = (endpoint: string, input: object) =>
  operationLink(operationWith({ endpoint, input }), planOf)

it('an edit leads to a screen without its form', () => {
  expect(place('createSuccessPlan', { body: { id: PLAN_ID } })).toBe(
    `/success-plans/${PLAN_ID}?edit`,
  )
  expect(place('updateSuccessPlan', { path: { id: PLAN_ID }, body: {} })).toBe(
    `/success-plans/${PLAN_ID}?edit`,
  )
  expect(place('updateAccount', { path: { id: 'a' }, body: {} })).toBe('/accounts/a?edit')
  expect(operationLink(posting({}), planOf)).toBe(`/success-plans/${PLAN_ID}`)
})

it('an action leads away from its plan', () => {
  const initiatives = `/success-plans/${PLAN_ID}?show=initiatives`
  expect(place('createAction', { body: { id: 'new', success_plan_id: PLAN_ID } })).toBe(initiatives)
  expect(place('updateAction', { body: { id: 'known', status: 'done' } })).toBe(initiatives)
  expect(place('updateInitiative', { path: { id: 'known' }, body: {} })).toBe(initiatives)
  expect(place('updateAction', { body: { id: 'unknown' } })).toBe('/initiatives')
})

it('what is one’s own cannot be mended in the settings', () => {
  expect(place('updateUserinfo', { body: { name: 'Ada' } })).toBe('/settings/profile')
  expect(place('updateNotificationConsents', { body: { digest: 'off' } })).toBe(
    '/settings/notifications',
  )
})

it('what no screen edits leads somewhere', () => {
  expect(place('register', { body: { name: 'Ada' } })).toBe(undefined)
})
