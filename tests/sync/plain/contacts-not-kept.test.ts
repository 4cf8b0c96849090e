// A change of one contact deletes another that could not be read, or is said not to be kept, and is made twice, at a
// server that gives contacts its own ids.
import { expect, test } from 'vitest'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { offline } from '../engine-fixture.ts'
import { PlainFixture, stored } from './plain-fixture.ts'

type Fields = Record<string, unknown>
type Contact = { id: string; name: string } & Fields

const accountOf = (stage: PlainFixture) => stage.plain.records.tables.accounts[0]!
const contactsOf = (stage: PlainFixture) => accountOf(stage).contacts as Fields[]
const puts = (stage: PlainFixture) =>
  stage.plain
    .seen('PUT', /accounts/)
    .map(({ body }) => JSON.parse(body ?? '') as { contacts: Fields[]; tags: unknown[] })

const read = async (tab: Engine) => {
  const found = (await stored(tab, 'accounts')).find(({ id }) => id === '1')
  if (!found) throw new Error('The account is not on the device.')
  return found as typeof found & { contacts: Contact[] }
}
const edit = (tab: Engine, body: object, seen: object) =>
  tab.enqueue('updateAccount', { path: { id: '1' }, body }, { version: 0, ...seen })
const newContact = (name: string): Contact => ({ id: crypto.randomUUID(), name, is_primary: false })
const attention = async (tab: Engine) =>
  (await tab.outbox.all()).filter(({ state }) => state === 'attention')

/** A tab with the account as the device has it, where a contact is added offline. */
async function added(stage: PlainFixture) {
  const tab = await stage.readTab()
  const account = await read(tab)
  const dua = newContact('Dua')
  stage.network = offline
  const contacts = [...account.contacts, dua]
  await edit(tab, { contacts }, account)
  return { tab, account, dua, contacts }
}

async function send(stage: PlainFixture, tab: Engine) {
  stage.network = stage.answer
  tab.wake()
  await stage.settled(tab)
}

const SERVERS = [{ put: 'replaces' }, { put: 'merges', capabilities: 'partial' }] as const

test.for(SERVERS)('an unreadable contact costs no other one, and stays at %s', async (options) => {
  const stage = new PlainFixture({ ...options, contacts: 'unnamed' })
  const unreadable = contactsOf(stage)[1]!
  const { tab, account } = await added(stage)
  expect(account.contacts).toMatchObject([{ id: '1', name: 'Ann' }])
  expect(tab.state.readReport.get().unread).toMatchObject([
    { collection: 'accounts', id: '1', path: 'contacts.1.name', leftOut: 'field' },
  ])
  await send(stage, tab)
  expect(await attention(tab)).toEqual([])
  expect(contactsOf(stage).map(({ name }) => name)).toEqual(['Ann', 'Dua', null])
  expect(contactsOf(stage)[2]).toEqual(unreadable)
})

test.for(SERVERS)('an unreadable tag costs no other one, and stays at %s', async (options) => {
  const stage = new PlainFixture(options)
  accountOf(stage).tags = ['plain', { name: 'big' }, 7]
  const tab = await stage.readTab()
  const account = await read(tab)
  expect(account.tags).toEqual(['plain', '7'])
  await edit(tab, { tags: ['7', 'new'] }, account)
  await stage.settled(tab)
  expect(await attention(tab)).toEqual([])
  expect(accountOf(stage).tags).toEqual(['7', 'new', { name: 'big' }])
})

test('the removal of the only contact that can be read leaves the other', async () => {
  const stage = new PlainFixture({ put: 'replaces', contacts: 'unnamed' })
  const tab = await stage.readTab()
  await edit(tab, { contacts: [] }, await read(tab))
  await stage.settled(tab)
  expect(contactsOf(stage)).toEqual([{ id: 2, name: null, fax: '1' }])
})

test('contacts without ids are shown, changed and kept', async () => {
  const stage = new PlainFixture({ put: 'replaces' })
  accountOf(stage).contacts = ['Ann', 'Ann', 'Ben'].map((name) => ({ name, fax: name }))
  const { tab, contacts } = await added(stage)
  expect(new Set(contacts.map(({ id }) => id)).size).toBe(4)
  const [ann, , ben, dua] = contacts
  await edit(tab, { contacts: [ann, { ...ben, phone: '+49 1' }, dua] }, { contacts })
  await send(stage, tab)
  expect(await attention(tab)).toEqual([])
  expect(contactsOf(stage)).toMatchObject([
    { name: 'Ann', fax: 'Ann' },
    { name: 'Ben', fax: 'Ben', phone: '+49 1' },
    { name: 'Dua' },
  ])
  expect(contactsOf(stage).some((one) => 'id' in one)).toBe(false)
  await tab.pullScheduler.pullAgain()
  expect((await read(tab)).contacts.map(({ name }) => name)).toEqual(['Ann', 'Ben', 'Dua'])
})

const MAKING = { put: 'replaces', contactIds: 'made', contacts: 'unnamed' } as const

test('a contact that its server gives another id has arrived, and is no one else’s', async () => {
  const stage = new PlainFixture(MAKING)
  const { tab } = await added(stage)
  await send(stage, tab)
  expect(await attention(tab)).toEqual([])
  expect(contactsOf(stage)).toMatchObject([{ id: 1 }, { id: 3, name: 'Dua' }, { id: 2 }])
  await tab.pullScheduler.pullAgain()
  expect(await tab.outbox.all()).toEqual([])
  const seen = await read(tab)
  await edit(tab, { contacts: [...seen.contacts, newContact('Eve')] }, seen)
  await stage.settled(tab)
  expect(await attention(tab)).toEqual([])
  expect(contactsOf(stage).map(({ name }) => name)).toEqual(['Ann', 'Dua', 'Eve', null])
})

test.for(['', 'versions, partial'])(
  'a later change of the contact reaches it under the id of the server, which has “%s”',
  async (capabilities) => {
    const put = capabilities === '' ? 'replaces' : 'merges'
    const stage = new PlainFixture({ ...MAKING, put, capabilities, contacts: 'none' })
    const { tab, contacts } = await added(stage)
    const changed = contacts.map((one) => ({ ...one, phone: '+49 1' }))
    await edit(tab, { contacts: changed }, { contacts })
    await edit(tab, { contacts: [] }, { contacts: changed })
    await send(stage, tab)
    expect(await attention(tab)).toEqual([])
    const sent = puts(stage).map((body) => body.contacts.map(({ id }) => String(id)))
    expect(sent).toEqual([['undefined'], ['1'], []])
    expect(contactsOf(stage)).toEqual([])
  },
)

test('a change whose answer was lost is not made twice', async () => {
  const stage = new PlainFixture(MAKING)
  const { tab } = await added(stage)
  let lost = 0
  stage.network = (request) => {
    const answer = stage.answer(request)
    if (request.method !== 'PUT') return answer
    lost += 1
    throw new TypeError('Failed to fetch')
  }
  tab.wake()
  await stage.settled(tab)
  expect(await attention(tab)).toEqual([])
  expect(lost).toBe(1)
  expect(contactsOf(stage).map(({ name }) => name)).toEqual(['Ann', 'Dua', null])
})

test('a change that is answered without its record has arrived', async () => {
  const stage = new PlainFixture({ ...MAKING, writes: 'empty' })
  const { tab } = await added(stage)
  await send(stage, tab)
  expect(await attention(tab)).toEqual([])
  expect(puts(stage)).toHaveLength(1)
})

test('a new account is sent without ids of its contacts, and they reach it again', async () => {
  const stage = new PlainFixture({ ...MAKING, contacts: 'none' })
  const tab = await stage.readTab()
  stage.network = offline
  const id = crypto.randomUUID()
  const contacts = [newContact('Dua')]
  await tab.enqueue('createAccount', { body: { id, name: 'Flood Co', contacts } })
  const changed = contacts.map((one) => ({ ...one, title: 'CFO' }))
  const seen = { id, version: 0, contacts }
  await tab.enqueue('updateAccount', { path: { id }, body: { contacts: changed } }, seen)
  await send(stage, tab)
  expect(await attention(tab)).toEqual([])
  expect(stage.plain.records.tables.accounts.at(-1)).toMatchObject({
    name: 'Flood Co',
    contacts: [{ id: 1, name: 'Dua', title: 'CFO' }],
  })
})

test('a server that takes ids gets those of the device', async () => {
  const stage = new PlainFixture({ capabilities: 'ids, partial', clientIds: 'unique' })
  const { tab, contacts } = await added(stage)
  await send(stage, tab)
  expect(puts(stage)).toEqual([{ contacts }])
  expect(await attention(tab)).toEqual([])
})
