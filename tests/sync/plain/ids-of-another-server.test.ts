// Another server, or another organisation of the same one, gives the same ids to other records.
import { expect, test } from 'vitest'
import { PlainApi } from '../../plain-server/plain-api.ts'
import { waitFor } from '../engine-fixture.ts'
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
  const left = await there.outbox.all()
  expect(left.filter(({ state }) => state !== 'acknowledged')).toEqual([])
})

test('a record whose answer was lost arrives once, under an id that another organisation has, too', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const create = (name: string) => ({ body: { id: crypto.randomUUID(), name } })
  await tab.enqueue('createAccount', create('Flood Co'))
  await stage.settled(tab)
  // What was sent is known from the log now.
  await waitFor(async () => {
    await tab.pullScheduler.pullAgain()
    expect(await tab.outbox.all()).toEqual([])
  })
  const south = stage.plain.addOrganisation(stage.plain.users[0]!, 'South')
  await tab.session.update('1', { active_organisation: { id: south.id } })
  await tab.pullScheduler.pullAgain()
  // Each organisation counts for itself.
  stage.plain.onWrite = ({ table, record }) => {
    if (table === 'accounts' && record.organisation_id === south.id) record.id = '4'
  }
  let isLost = false
  stage.network = (request) => {
    const answer = stage.answer(request)
    if (isLost || request.method !== 'POST' || !request.url.endsWith('/accounts')) return answer
    isLost = true
    throw new TypeError('Failed to fetch')
  }
  await tab.enqueue('createAccount', create('Dry Ltd'))
  await stage.settled(tab)
  const { accounts } = stage.plain.records.tables
  expect(accounts.filter(({ id }) => id === '4').map(({ name }) => name)).toEqual([
    'Flood Co',
    'Dry Ltd',
  ])
  expect(accounts.filter(({ name }) => name === 'Dry Ltd')).toHaveLength(1)
})
