// The configuration names another server, which gives the same ids to other records.
import { expect, test } from 'vitest'
import { PlainApi } from '../../plain-server/plain-api.ts'
import { PlainFixture } from './plain-fixture.ts'

test('a record arrives under an id that the server before gave to another one', async () => {
  const stage = new PlainFixture()
  stage.address = { baseUrl: 'https://old.test' }
  const tab = await stage.readTab()
  const create = (name: string) => ({ body: { id: crypto.randomUUID(), name } })
  await tab.enqueue('createAccount', create('Flood Co'))
  await stage.settled(tab)
  expect((await tab.outbox.read()).aliases).toMatchObject([{ id: '4' }])
  stage.closeTabs()

  const next = new PlainApi({}, { accounts: 3, plans: 40 })
  stage.network = (request) => next.handle(request)
  stage.address = { baseUrl: 'https://new.test' }
  const there = await stage.readTab()
  await there.enqueue('createAccount', create('Dry Ltd'))
  await stage.settled(there)
  expect(next.records.tables.accounts.at(-1)).toMatchObject({ id: '4', name: 'Dry Ltd' })
  expect(next.seen('POST', /accounts$/)).toHaveLength(1)
  expect(await there.outbox.all()).toMatchObject([{ state: 'acknowledged', last_error: null }])
})
