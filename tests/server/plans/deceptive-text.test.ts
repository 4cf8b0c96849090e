// A name that cannot be seen, or an address that leads elsewhere than it seems, is stored.
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TimeZone } from '../../../contract/schemas/fields.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'
import { rejection } from '../fixtures/rejection.ts'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
})
afterAll(() => world.close())

const plan = (title: string) => mia.post('/api/v1/success-plans', { title, type: 'project' })
const account = (website: string) => mia.post('/api/v1/accounts', { name: 'Acme', website })

test.each([
  ['\u200B', 'This must not be empty.'],
  ['\u3164', 'This must not be empty.'],
  ['\u2800\u2800', 'This must not be empty.'],
  ['\u{E0061}\u{E0062}', 'This must not be empty.'],
  ['\u200D\uFE0F', 'This must not be empty.'],
  ['Road\u200Bmap', 'Remove the invisible characters.'],
  ['Road\u{E0061}map', 'Remove the invisible characters.'],
  ['Road\u2800map', 'Remove the invisible characters.'],
  ['\u200DRoadmap', 'Remove the invisible characters.'],
  ['Road\u202Emap', 'Remove the control characters.'],
  ['Road\u200Fmap', 'Remove the control characters.'],
  ['Road\u061Cmap', 'Remove the control characters.'],
  ['Road\u2028map', 'Remove the control characters.'],
  ['Road\uFFF9map', 'Remove the control characters.'],
  ['Road\uFFFEmap', 'Remove the control characters.'],
  ['Road\u{1FFFF}map', 'Remove the control characters.'],
  ['Road\u200Dmap', 'Remove the invisible characters.'],
  ['Road\u200Cmap', 'Remove the invisible characters.'],
])('the title %j is rejected', async (title, message) => {
  expect((await plan(title)).statusAndBody).toEqual(rejection('title', message))
})

test.each([
  '👩\u200D💻 Roll-out',
  'We ❤\uFE0F plans',
  'می\u200Cخواهم',
  '1\uFE0F\u20E3',
  'Ærø',
  '計画',
])('the title %j is accepted', async (title) => {
  expect((await plan(title)).data()).toMatchObject({ title })
})

test('an address with a user name in it is rejected', async () => {
  for (const website of ['https://bank.example@evil.example/', 'https://a:b@evil.example'])
    expect((await account(website)).statusAndBody).toEqual(
      rejection('website', 'Enter a web address without a user name.'),
    )
})

test.each([
  ['https:example.com', 'Enter a web address that starts with https://.'],
  ['https:///evil.example', 'Enter a web address that starts with https://.'],
  ['http:\\\\evil.example', 'Enter a web address that starts with https://.'],
  ['https://\\evil.example', 'Enter a web address that starts with https://.'],
  ['https://@h.example', 'Enter a web address without a user name.'],
  ['https://:@h.example', 'Enter a web address without a user name.'],
  ['https://good.example\\@evil.example', 'Enter a web address without a user name.'],
])('the address %j is rejected', async (website, message) => {
  expect((await account(website)).statusAndBody).toEqual(rejection('website', message))
})

test.each([
  ['https://%65vil.example', 'https://evil.example/'],
  ['https://ｅvil.example/a', 'https://evil.example/a'],
  ['https://good.example\\evil.example', 'https://good.example/evil.example'],
  ['https://example.com/@team?a=b@c#d@e', 'https://example.com/@team?a=b@c#d@e'],
])('the address %j is stored as %j', async (typed, website) => {
  expect((await account(typed)).data()).toMatchObject({ website })
})

test.each(['\x07', '\x1B[2J', '\x85', '\x00'])(
  'a text with the control character %j is rejected',
  async (character) => {
    const body = { name: 'Acme', notes: `Line${character}end` }
    expect((await mia.post('/api/v1/accounts', body)).statusAndBody).toEqual(
      rejection('notes', 'Remove the control characters.'),
    )
  },
)

test('a text keeps its tabs, line breaks and signs that join others', async () => {
  const notes = 'One\ttwo\r\nthree\n👩\u200D💻 می\u200Cخواهم'
  expect((await mia.post('/api/v1/accounts', { name: 'Acme', notes })).data()).toMatchObject({
    notes,
  })
})

test('a text that shows nothing counts as none where one is required', async () => {
  const plans = '/api/v1/success-plans'
  const { id } = (
    await mia.post(plans, { title: 'Roadmap', type: 'project', status: 'in-progress' })
  ).data<{ id: string }>()
  const empty = rejection('body', 'Write what happened, or change the progress, status or health.')
  const write = (body: object) => mia.post(`${plans}/${id}/updates`, body)
  expect((await write({ body: '\u200B\u2800' })).statusAndBody).toEqual(empty)
  const unexplained = rejection('body', 'Add a note on why the work stops.')
  const paused = { body: '\u3164', status: 'paused' }
  expect((await write(paused)).statusAndBody).toEqual(unexplained)
})

test('a host that looks like another one is shown as the browser resolves it', async () => {
  expect((await account('http://\u0435xample.com/a')).data()).toMatchObject({
    website: 'http://xn--xample-2of.com/a',
  })
  expect((await account('https://example.com/für')).data()).toMatchObject({
    website: 'https://example.com/für',
  })
})

test('made-up time zones do not keep anyone from choosing a real one', async () => {
  const choose = (timezone: string) => mia.call('PUT', '/api/v1/userinfo', { body: { timezone } })
  expect((await choose('bogus/zone')).status).toBe(422)
  // The rest without the server: it checks with the same schema, in this process.
  for (let count = 0; count < 2_000; count += 1)
    expect(v.is(TimeZone, `bogus/${count}`)).toBe(false)
  for (const timezone of ['Europe/Berlin', 'Asia/Tokyo', 'America/New_York'])
    expect((await choose(timezone)).data()).toMatchObject({ timezone })
})

test('a name in letters from right to left does not reorder the mail that invites', async () => {
  const owner = await world.createOwner('חנה')
  await world.verify(owner)
  const invites = '/api/v1/organisation-invites'
  const sent = await owner.post(invites, { email: 'ada@example.com', role: 'member' })
  expect(sent.status).toBe(201)
  expect(world.mails.at(-1)?.text).toContain(
    `\u2068חנה\u2069 (${owner.email}) invites you to work in the organisation “\u2068חנה’s organisation\u2069” on Cairn.`,
  )
})
