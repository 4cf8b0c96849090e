// @vitest-environment jsdom
// Where the sync centre links to edit a pending operation.
import { expect, it } from 'vitest'
import { operationLink } from '../../../src/app/sync-centre/operation-link.ts'
import { operationWith, PLAN_ID, posting } from '../fixtures/record-fixtures.ts'

const KNOWN = { success_plan_id: PLAN_ID, initiative_id: 'known-initiative', account_id: null }
const parentsOf = (id: string) => (id === 'known' ? KNOWN : undefined)
const place = (endpoint: string, input: object) =>
  operationLink(operationWith({ endpoint, input }), parentsOf)

it('opens the form of an edited record', () => {
  expect(place('createSuccessPlan', { body: { id: PLAN_ID } })).toBe(
    `/success-plans/${PLAN_ID}?edit`,
  )
  expect(place('updateSuccessPlan', { path: { id: PLAN_ID }, body: {} })).toBe(
    `/success-plans/${PLAN_ID}?edit`,
  )
  expect(place('updateAccount', { path: { id: 'a' }, body: {} })).toBe('/accounts/a?edit')
  expect(operationLink(posting({}), parentsOf)).toBe(`/success-plans/${PLAN_ID}`)
})

it('opens the form of an initiative', () => {
  const form = '/initiatives?open=A%2F7&edit'
  expect(place('createInitiative', { body: { id: 'A/7', success_plan_id: PLAN_ID } })).toBe(form)
  expect(place('updateInitiative', { path: { id: 'A/7' }, body: {} })).toBe(form)
})

it('opens the row of an action, where the operation puts it', () => {
  const ofPlan = `/success-plans/${PLAN_ID}?show=initiatives#`
  expect(place('createAction', { body: { id: 'new', success_plan_id: PLAN_ID } })).toBe(
    `${ofPlan}new`,
  )
  expect(
    place('createAction', { body: { id: 'new', success_plan_id: PLAN_ID, initiative_id: 'i' } }),
  ).toBe('/initiatives?open=i#new')
  const known = '/initiatives?open=known-initiative#known'
  expect(place('updateAction', { body: { id: 'known', status: 'done' } })).toBe(known)
  expect(place('updateAction', { body: { id: 'known', initiative_id: 'i' } })).toBe(
    '/initiatives?open=i#known',
  )
  expect(place('updateAction', { body: { id: 'known', initiative_id: null } })).toBe(
    `${ofPlan}known`,
  )
  expect(place('updateAction', { body: { id: 'unknown' } })).toBe('/initiatives')
})

it('opens the settings for the user’s own profile', () => {
  expect(place('updateUserinfo', { body: { name: 'Ada' } })).toBe('/settings/profile')
  expect(place('updateNotificationConsents', { body: { digest: 'off' } })).toBe(
    '/settings/notifications',
  )
})

it('opens the list of a saved view as the view shows it', () => {
  const ofView = (search: string) =>
    place('putSavedView', { path: { id: 'v' }, body: { name: 'Mine', search } })
  expect(ofView('view=mine')).toBe('/success-plans?view=mine')
  expect(ofView('list=accounts&group=tier')).toBe('/accounts?group=tier')
  expect(ofView('list=renewals&owner=none')).toBe('/?renewals&owner=none')
})

it('is undefined for a view of a list that this version does not have', () => {
  expect(
    place('putSavedView', { path: { id: 'v' }, body: { search: 'list=contacts&sort=name' } }),
  ).toBe(undefined)
})

it('is undefined for what no screen edits', () => {
  expect(place('deleteSuccessPlan', { path: { id: PLAN_ID }, body: {} })).toBe(undefined)
  expect(place('deleteAction', { path: { id: 'known' }, body: {} })).toBe(undefined)
  expect(place('register', { body: { name: 'Ada' } })).toBe(undefined)
})
