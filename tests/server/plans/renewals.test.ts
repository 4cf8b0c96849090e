// The outcome of a renewal is lost, added twice, or attributed to the wrong person.
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
})
afterAll(() => world.close())

const outcome = (fields: object = {}) => ({
  id: uuidv7(),
  due: '2026-01-31',
  outcome: 'renewed',
  amount: 500,
  next_date: '2027-01-31',
  recorded_at: '2026-01-30T10:00:00.000Z',
  ...fields,
})

async function createAccount(fields: object = {}): Promise<string> {
  const id = uuidv7()
  await mia.post('/api/v1/accounts', { id, name: 'Northwind', currency: 'EUR', ...fields })
  return id
}
const edit = (id: string, body: object) => mia.call('PUT', `/api/v1/accounts/${id}`, { body })
const renewalsOf = async (id: string) =>
  (await mia.get(`/api/v1/accounts/${id}`)).data<Account>().renewals

test('an outcome is added to the history with its author and currency', async () => {
  const id = await createAccount()
  const first = outcome({ note: 'Two more teams.' })
  const second = outcome({ outcome: 'churned', amount: null, next_date: null, due: '2027-01-31' })
  const edited = await edit(id, { renewal_outcome: first, renewal_date: '2027-01-31', arr: 500 })
  expect(edited.data()).toMatchObject({ renewal_date: '2027-01-31', arr: 500 })
  await edit(id, { renewal_outcome: second, status: 'churned' })
  const author = { user_id: mia.id, currency: 'EUR' }
  expect(await renewalsOf(id)).toEqual([
    { ...first, ...author },
    { ...second, note: null, ...author },
  ])
})

test('an outcome that arrives again is not added twice', async () => {
  const id = await createAccount()
  const renewal_outcome = outcome()
  await edit(id, { renewal_outcome })
  await edit(id, { renewal_outcome })
  expect(await renewalsOf(id)).toHaveLength(1)
})

test('simultaneous outcomes are all added', async () => {
  const id = await createAccount()
  await Promise.all(Array.from({ length: 5 }, () => edit(id, { renewal_outcome: outcome() })))
  expect(await renewalsOf(id)).toHaveLength(5)
})

test('an account keeps 200 outcomes, and refuses another at its field', async () => {
  const id = await createAccount()
  const stored = Array.from({ length: 199 }, () => ({
    ...outcome(),
    note: null,
    user_id: mia.id,
    currency: 'EUR',
  }))
  await world.database.system((tx) =>
    tx
      .updateTable('accounts')
      .set({ renewals: JSON.stringify(stored) })
      .where('id', '=', id)
      .execute(),
  )
  const answers = await Promise.all(
    [1, 2].map(() => edit(id, { renewal_outcome: outcome(), notes: 'Kept apart.' })),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422])
  expect(answers.find(({ status }) => status === 422)?.json.errors).toEqual({
    renewal_outcome: ['An account has at most 200 outcomes.'],
  })
  const renewals = (await renewalsOf(id)) ?? []
  expect(renewals).toHaveLength(200)
  const again = outcome({ id: renewals[199]?.id })
  expect((await edit(id, { renewal_outcome: again })).status).toBe(200)
})

test('an account that is created with an outcome has it', async () => {
  const id = await createAccount({ renewal_outcome: outcome() })
  expect(await renewalsOf(id)).toMatchObject([{ outcome: 'renewed', user_id: mia.id }])
})

test('an outcome is not recorded in the future', async () => {
  const id = await createAccount()
  await edit(id, { renewal_outcome: outcome({ recorded_at: '2999-01-01T00:00:00.000Z' }) })
  const [{ recorded_at } = { recorded_at: null }] = (await renewalsOf(id)) ?? []
  expect(Date.parse(recorded_at ?? '')).toBeLessThanOrEqual(Date.now())
})

test.each([
  [{ outcome: 'lost' }, 'renewal_outcome.outcome'],
  [{ amount: -1 }, 'renewal_outcome.amount'],
  [{ due: '2026-02-30' }, 'renewal_outcome.due'],
  [{ id: 'one' }, 'renewal_outcome.id'],
])('a malformed outcome is rejected: %o', async (fields, field) => {
  const id = await createAccount()
  const answer = await edit(id, { renewal_outcome: outcome(fields) })
  expect(answer.status).toBe(422)
  expect(Object.keys((answer.statusAndBody.body as { errors: object }).errors)).toEqual([field])
})
