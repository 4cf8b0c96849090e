// The server stores under the nil UUID what belongs to no organisation: an organisation of that id shared it. A record
// of that id was missing in exports.
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportOrganisation } from '../../../server/ops/admin/organisations.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

const NIL = '00000000-0000-0000-0000-000000000000'

let world: ApiFixture
let mia: ApiUser
let plan: string
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
  plan = await mia.createPlan()
})
afterAll(() => world.close())

test.for<[string, () => object]>([
  ['organisations', () => ({ name: 'Of all' })],
  ['accounts', () => ({ name: 'Account' })],
  ['success-plans', () => ({ title: 'Plan', type: 'project' })],
  ['initiatives', () => ({ title: 'Initiative', success_plan_id: plan })],
  ['actions', () => ({ title: 'Action', success_plan_id: plan })],
  ['templates', () => ({ title: 'Template', duration_days: 1, initiatives: [] })],
  ['success-plans/{id}/updates', () => ({ body: 'Words' })],
])('%s: the nil UUID is rejected as an id', async ([path, fields]) => {
  const url = `/api/v1/${path.replace('{id}', plan)}`
  const refused = await mia.post(url, { id: NIL, ...fields() })
  expect(refused.statusAndBody).toMatchObject({
    status: 422,
    body: { errors: { id: [expect.any(String)] } },
  })
  expect((await mia.post(url, { id: uuidv7(), ...fields() })).status).toBe(201)
})

test('an export has a record with the nil UUID, which an earlier version took', async () => {
  await world.database.system((tx) =>
    tx
      .updateTable('accounts')
      .set({ id: NIL, name: 'Nil' })
      .where('name', '=', 'Account')
      .execute(),
  )
  let text = ''
  await exportOrganisation(world.database, mia.organisation, async (part) => void (text += part))
  expect(JSON.parse(text)).toMatchObject({ records: { accounts: [{ id: NIL, name: 'Nil' }] } })
})
