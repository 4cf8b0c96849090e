// A server gets a header that it does not know, and its preflight fails.
import { expect, test } from 'vitest'
import { waitFor } from '../engine-fixture.ts'
import { PlainFixture, stored } from './plain-fixture.ts'

const account = () => ({ path: { id: '1' }, body: { name: 'Renamed' } })
const seen = { id: '1', name: 'Account 1', version: 3 }

test.for<[string, { key?: true; version?: true; app?: true }]>([
  ['', {}],
  ['keys=60', { key: true }],
  ['versions', { version: true }],
  ['app-version', { app: true }],
])('with "%s" a write has only the headers of these', async ([capabilities, expected]) => {
  const stage = new PlainFixture({ capabilities })
  const tab = await stage.readTab()
  await tab.enqueue('updateAccount', account(), seen)
  const writes = () => stage.requests.filter(({ method }) => method === 'PUT')
  await waitFor(() => expect(writes()).not.toHaveLength(0))
  const [{ headers } = { headers: {} }] = writes()
  expect('Idempotency-Key' in headers).toBe(expected.key === true)
  expect('If-Match' in headers).toBe(expected.version === true)
  expect('Cairn-App' in headers).toBe(expected.app === true)
})

test('a server that refuses every If-Match gets none, and takes an edit and a deletion', async () => {
  const stage = new PlainFixture({ ifMatch: 'refused' })
  const tab = await stage.readTab()
  await tab.enqueue('updateAccount', account(), seen)
  await stage.settled(tab)
  const other = (await stored(tab, 'accounts')).find(({ id }) => id === '2')
  await tab.enqueue('deleteAccount', { path: { id: '2' }, body: { title: 'Account 2' } }, other)
  await stage.settled(tab)
  expect(stage.plain.seen('PUT', /accounts/)).toMatchObject([{ status: 200 }])
  expect(stage.plain.seen('DELETE', /accounts/)).toMatchObject([{ status: 204 }])
  expect(stage.plain.records.tables.accounts).toMatchObject([{ name: 'Renamed' }, { id: '3' }])
  expect((await tab.outbox.all()).map(({ state }) => state)).not.toContain('attention')
})

test('nothing is sent before the server has announced its capabilities', async () => {
  const stage = new PlainFixture({ capabilities: 'keys=60' })
  const tab = await stage.readTab()
  await tab.enqueue('updateAccount', account(), seen)
  stage.closeTabs()
  await stage.store.transact(['session'], 'readwrite', async (tx) =>
    tx.deleteAll('session', ['capabilities']),
  )
  stage.requests.length = 0
  await stage.tab()
  const paths = () => stage.requests.map(({ method, url }) => `${method} ${url}`)
  await waitFor(() => expect(paths()).toContain('PUT /api/v1/accounts/1'))
  const put = stage.requests.find(({ method }) => method === 'PUT')
  expect(put?.headers['Idempotency-Key']).toBeDefined()
})
