import { expect, it } from 'vitest'
import { foldAccounts } from '../../src/features/accounts/fold.ts'
import { accountWith, operationWith, posting } from './operations.ts'

const edit = (body: object, fields = {}) =>
  operationWith({
    endpoint: 'updateAccount',
    input: { path: { id: 'account' }, body },
    ...fields,
  })

it('account-made-offline-is-missing', () => {
  const creation = operationWith({
    endpoint: 'createAccount',
    input: { body: { id: 'new', name: 'Quay Foods', contacts: [{ name: 'Rosa' }] } },
  })
  expect(foldAccounts([], [creation])).toMatchObject([
    { id: 'new', name: 'Quay Foods', status: 'active', contacts: [{ name: 'Rosa', email: null }] },
  ])
})

it('pending-edit-is-not-shown', () => {
  expect(foldAccounts([accountWith()], [edit({ name: 'Northwind AG', arr: null })])).toMatchObject([
    { name: 'Northwind AG', arr: null, currency: 'EUR' },
  ])
})

it('acknowledged-then-read-back-edit-undoes-a-later-one', () => {
  const answer = accountWith({ name: 'Second', version: 4 })
  const acknowledged = edit({ name: 'Second' }, { state: 'acknowledged', answer })
  expect(foldAccounts([accountWith()], [acknowledged])).toEqual([answer])
  const third = accountWith({ name: 'Third', version: 5 })
  expect(foldAccounts([third], [acknowledged])).toEqual([third])
})

it('refused-edit-is-shown-as-if-it-counted', () => {
  expect(foldAccounts([accountWith()], [edit({ name: 'No' }, { state: 'attention' })])).toEqual([
    accountWith(),
  ])
})

it('operation-about-something-else-redraws-every-row', () => {
  const cached = [accountWith()]
  expect(foldAccounts(cached, [posting({})])).toBe(cached)
})
