// A page of a list had five hundred records, however large: hundreds of megabytes in the memory of the server.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
})
afterAll(() => world.close())

test.each([
  ['templates', { title: 'Large', duration_days: 1 }, 'description'],
  ['accounts', { name: 'Large' }, 'notes'],
])(
  'a page of %s that would have over 32 MiB is refused, a shorter one is not',
  async (list, draft, column) => {
    for (let count = 0; count < 40; count += 1) await mia.post(`/api/v1/${list}`, draft)
    await world.database.system((tx) =>
      sql`update ${sql.table(list)} set ${sql.ref(column)} = repeat('x', 1000000)`.execute(tx),
    )
    const refused = await mia.get(`/api/v1/${list}?per_page=500`)
    const message = 'These records are too large for one page. Ask for fewer.'
    expect(refused.status).toBe(422)
    expect(refused.json).toMatchObject({ errors: { per_page: [message] } })
    const page = await mia.get(`/api/v1/${list}?per_page=33&page=2`)
    expect(page.data<unknown[]>()).toHaveLength(7)
    expect((await mia.get(`/api/v1/${list}?per_page=30`)).data<unknown[]>()).toHaveLength(30)
  },
)
