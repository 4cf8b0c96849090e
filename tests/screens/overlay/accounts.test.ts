import { expect, it } from 'vitest'
import { overlayAccounts } from '../../../src/data/accounts.ts'
import { accountWith, operationWith, posting } from '../fixtures/record-fixtures.ts'

const edit = (body: object, fields = {}) =>
  operationWith({
    endpoint: 'updateAccount',
    input: { path: { id: 'account' }, body },
    ...fields,
  })

it('shows an account created offline', () => {
  const creation = operationWith({
    endpoint: 'createAccount',
    input: { body: { id: 'new', name: 'Quay Foods', contacts: [{ name: 'Rosa' }] } },
  })
  expect(overlayAccounts([], [creation])).toMatchObject([
    { id: 'new', name: 'Quay Foods', status: 'active', contacts: [{ name: 'Rosa', email: null }] },
  ])
})

it('shows a pending edit', () => {
  expect(
    overlayAccounts([accountWith()], [edit({ name: 'Northwind AG', arr: null })]),
  ).toMatchObject([{ name: 'Northwind AG', arr: null, currency: 'EUR' }])
})

it('keeps who is who when contacts change places', () => {
  const [rosa, kim] = ['Rosa', 'Kim'].map((name) => ({
    id: `id of ${name}`,
    name,
    email: null,
    phone: null,
    title: null,
    role: null,
    is_primary: false,
  }))
  if (!rosa || !kim) throw new Error('There are no contacts.')
  const stored = accountWith({ contacts: [rosa, kim] })
  const reordered = edit({ contacts: [{ ...kim, is_primary: true }, rosa, { name: 'New' }] })
  expect(overlayAccounts([stored], [reordered])[0]?.contacts).toEqual([
    { ...kim, is_primary: true },
    rosa,
    { ...rosa, phone: undefined, id: '2', name: 'New' },
  ])
  // Without an id a contact is the one at its place.
  const renamed = edit({ contacts: [{ name: 'Rosa B.', phone: null }] })
  expect(overlayAccounts([stored], [renamed])[0]?.contacts).toEqual([{ ...rosa, name: 'Rosa B.' }])
})

it('shows an acknowledged edit until the server’s record is newer', () => {
  const answer = accountWith({ name: 'Second', version: 4 })
  const acknowledged = edit({ name: 'Second' }, { state: 'acknowledged', answer })
  expect(overlayAccounts([accountWith()], [acknowledged])).toEqual([answer])
  const third = accountWith({ name: 'Third', version: 5 })
  expect(overlayAccounts([third], [acknowledged])).toEqual([third])
})

it('does not apply a rejected edit', () => {
  expect(overlayAccounts([accountWith()], [edit({ name: 'No' }, { state: 'attention' })])).toEqual([
    accountWith(),
  ])
})

it('keeps its identity for unrelated operations', () => {
  const cached = [accountWith()]
  expect(overlayAccounts(cached, [posting({})])).toBe(cached)
})
