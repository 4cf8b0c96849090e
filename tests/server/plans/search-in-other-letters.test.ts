// A search missed what was written with other accents, a dotted capital I, or in another encoding of the same letters.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

/** Titles, and what may be typed for each and for no other. */
const SPELLINGS: [title: string, ...typed: string[]][] = [
  ['İstanbul Lojistik', 'istanbul', 'ISTANBUL', 'İSTANBUL', 'i\u0307stanbul'],
  ['Işıklı Yapı', 'ışıklı', 'ISIKLI', 'isikli'],
  ['Müller'.normalize('NFD'), 'müller', 'MÜLLER', 'muller', 'müller'.normalize('NFD')],
  ['Straße', 'strasse', 'STRASSE', 'STRAẞE', 'straße'],
  ['KIRCHGASSE', 'kirchgaße'],
  ['Łódź', 'łódź', 'Łódz'],
  ['ὈΔΌΣ ΝΈΑ', 'ὀδός', 'οδος', 'νεα'],
  ['ﬁnance', 'finance'],
  ['100％', '100%', '％'],
]
const CASES = SPELLINGS.flatMap(([title, ...typed]) => typed.map((one) => [one, title] as const))

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
  for (const [title] of SPELLINGS) await mia.createPlan({ title })
  await mia.post('/api/v1/accounts', { name: 'İzmir' })
})
afterAll(() => world.close())

test.each(CASES)('%s finds the plan %s', async (typed, title) => {
  const found = await mia.get(`/api/v1/success-plans?filters[title]=${encodeURIComponent(typed)}`)
  expect(found.data<{ title: string }[]>().map((plan) => plan.title)).toEqual([title])
})

test('what folds to a wildcard or an escape is literal', async () => {
  const found = await mia.get(`/api/v1/success-plans?filters[title]=${encodeURIComponent('＿')}`)
  expect(found.data()).toEqual([])
  const escaped = await mia.get(`/api/v1/success-plans?filters[title]=${encodeURIComponent('＼')}`)
  expect(escaped.data()).toEqual([])
})

test('so are accounts found', async () => {
  const found = await mia.get('/api/v1/accounts?filters[title]=izmir')
  expect(found.data<{ name: string }[]>().map(({ name }) => name)).toEqual(['İzmir'])
})
