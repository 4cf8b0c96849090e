// An edit whose If-Match names the present version is rejected, or one that names another is not.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
})
afterAll(() => world.close())

/** The status of an edit whose If-Match is written by `header` from the record's version. */
async function editWith(header: (version: number) => string): Promise<number> {
  const plan = await mia.createPlan()
  const url = `/api/v1/success-plans/${plan}`
  const { version } = (await mia.get(url)).data<{ version: number }>()
  const headers = { 'If-Match': header(version) }
  return (await mia.call('PATCH', url, { body: { title: 'Edited' }, headers })).status
}

test.for<[string, (version: number) => string, number]>([
  ['the present version', (version) => `"${version}"`, 200],
  ['the present version as a weak tag', (version) => `W/"${version}"`, 200],
  ['any version', () => '*', 200],
  ['several versions with the present one', (version) => `"1" , W/"${version}"`, 200],
  ['an older version', (version) => `"${version - 1}"`, 412],
  ['a newer version', (version) => `"${version + 1}"`, 412],
  ['several other versions', () => '"1","2"', 412],
  ['a version without quotes', (version) => String(version), 400],
  ['no version', () => '""', 400],
  ['a word', () => '"abc"', 400],
])('%s', async ([, header, status]) => {
  expect(await editWith(header)).toBe(status)
})
