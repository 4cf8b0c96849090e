// A record was made again under an id that stood for another one: the server's id of a deleted record became an id
// of the device, and what was said later of other records with that id went to the new one.
import { expect, test } from 'vitest'
import type { Operation } from '../../../src/sync/core/operation.ts'
import { PlainFixture } from './plain-fixture.ts'

/** An account that is made on this device, gets the id `4` and is deleted. */
async function withDeletedAccount() {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const local = crypto.randomUUID()
  await tab.enqueue('createAccount', { body: { id: local, name: 'Flood Co' } })
  await stage.settled(tab)
  await tab.enqueue('deleteAccount', { path: { id: '4' } })
  await stage.settled(tab)
  const { accounts } = stage.plain.records.tables
  expect(accounts.map(({ id }) => id)).not.toContain('4')
  const aliases = async () =>
    (await tab.outbox.read()).aliases.map((one): [string, string] => [one.local, one.id])
  return { stage, tab, local, accounts, aliases }
}

test.each([
  ['of the device', (local: string) => local],
  ['of the server', () => '4'],
])('a record that is made again under its id %s has one of its own', async (_, idOf) => {
  const { stage, tab, local, accounts, aliases } = await withDeletedAccount()
  const again = await tab.enqueue('createAccount', {
    body: { id: idOf(local), name: 'Flood Co' },
  })
  const made = (again.input.body as { id: string }).id
  expect([local, '4']).not.toContain(made)
  await stage.settled(tab)
  const id = accounts.at(-1)?.id ?? ''
  expect(accounts.filter(({ name }) => name === 'Flood Co')).toHaveLength(1)
  expect(new Map(await aliases())).toEqual(
    new Map([
      [local, '4'],
      [made, id],
    ]),
  )
})

test('what an earlier build enqueued under an id of the server changes no other operation', async () => {
  const { stage, tab, local, accounts, aliases } = await withDeletedAccount()
  stage.network = () => {
    throw new TypeError('Failed to fetch')
  }
  const body = { id: local, name: 'Flood Co' }
  const again = await tab.enqueue('createAccount', { body })
  const old = { ...again, input: { body: { ...body, id: '4' } } } satisfies Operation
  await stage.store.transact(['operations'], 'readwrite', async (tx) =>
    tx.put('operations', old.id, old),
  )
  await tab.enqueue('updateSuccessPlan', { path: { id: '4' }, body: { title: 'Dry feet' } })
  stage.network = stage.answer
  await stage.settled(tab)
  expect(accounts.filter(({ name }) => name === 'Flood Co')).toHaveLength(1)
  expect(await aliases()).toEqual([[local, '4']])
  const plans = stage.plain.records.tables['success-plans']
  expect(plans.find(({ title }) => title === 'Dry feet')).toMatchObject({ id: '4' })
})

test('an alias of an earlier build from one id of the server to another changes nothing', async () => {
  const { stage, tab } = await withDeletedAccount()
  const of = { user_id: '1', organisation_id: '1', table: 'accounts' }
  const wrong = { ...of, local: '4', id: '5', created_at: Date.now() }
  await stage.store.transact(['session'], 'readwrite', async (tx) =>
    tx.put('session', ['alias', '1', '1', 'accounts', '4'], wrong),
  )
  const edit = { path: { id: '4' }, body: { title: 'Dry feet' } }
  expect((await tab.enqueue('updateSuccessPlan', edit)).input.path).toEqual({ id: '4' })
})

test('an id of one organisation is replaced in that one alone', async () => {
  const { stage, tab, local } = await withDeletedAccount()
  const south = stage.plain.addOrganisation(stage.plain.users[0]!, 'South')
  await tab.session.update('1', { active_organisation: { id: south.id } })
  const { input } = await tab.enqueue('updateAccount', {
    path: { id: local },
    body: { notes: 'Call.' },
  })
  expect(input.path).toEqual({ id: local })
})
