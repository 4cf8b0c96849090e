// A search missed what was written with other accents, a dotted capital I, or in another encoding of the same letters.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BLANK_SEARCHES, SPELLED_SEARCHES, SPELLED_TEXTS } from '../../fixtures/spellings.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
  for (const title of SPELLED_TEXTS) await mia.createPlan({ title })
  await mia.post('/api/v1/accounts', { name: 'İzmir' })
})
afterAll(() => world.close())

const find = async (typed: string) => {
  const found = await mia.get(`/api/v1/success-plans?filters[title]=${encodeURIComponent(typed)}`)
  return found.data<{ title: string }[]>().map((plan) => plan.title)
}

test.each(SPELLED_SEARCHES)('%s finds the plans %j', async (typed, titles) => {
  expect(new Set(await find(typed))).toEqual(new Set(titles))
})

test.each(BLANK_SEARCHES)('%j finds no plan, as in the palette', async (typed) => {
  expect(await find(typed)).toEqual([])
})

test('each mark that the app ignores is ignored', async () => {
  const all = Array.from({ length: 0xf_0000 }, (_, code) =>
    code >= 0xd800 && code < 0xe000 ? '' : String.fromCodePoint(code),
  )
  const marks = all.filter((one) => /\p{sc=Zinh}/u.test(one))
  for (let from = 0; from < marks.length; from += 100)
    expect(await find(`kirch${marks.slice(from, from + 100).join('')}gasse`)).toHaveLength(1)
})

test('what folds to a wildcard or an escape is literal', async () => {
  const found = await mia.get(`/api/v1/success-plans?filters[title]=${encodeURIComponent('＿')}`)
  expect(found.data()).toEqual([])
  const escaped = await mia.get(`/api/v1/success-plans?filters[title]=${encodeURIComponent('＼')}`)
  expect(escaped.data()).toEqual([])
})

test('accounts are found in the same way', async () => {
  const found = await mia.get('/api/v1/accounts?filters[title]=izmir')
  expect(found.data<{ name: string }[]>().map(({ name }) => name)).toEqual(['İzmir'])
})
