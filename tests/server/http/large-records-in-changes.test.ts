// A page of changes had a thousand records, however large: hundreds of megabytes in the memory of the server.
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

/** Of texts, in the order of versions: one is larger than a page. Before each comes a small record. */
const LENGTHS = [...Array<number>(25).fill(200_000), 3_000_000, ...Array<number>(5).fill(200_000)]
const PAGE_LENGTH = 2.2 * 1024 * 1024

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
})
afterAll(() => world.close())

interface Page {
  version: number
  more: boolean
  next?: number[]
  data: Record<string, { id: string }[]>
}

test('a page ends early where its records are large, and none is left out', async () => {
  const ids: string[] = []
  const at = world.now.toISOString()
  for (const length of LENGTHS) {
    ids.push(await mia.createPlan({ title: 'Small' }))
    const id = uuidv7()
    ids.push(id)
    await world.database.system(async (tx) => {
      const { version } = await tx
        .updateTable('organisations')
        .set((row) => ({ version: row('version', '+', 1) }))
        .where('id', '=', mia.organisation)
        .returning('version')
        .executeTakeFirstOrThrow()
      await tx
        .insertInto('templates')
        .values({
          organisation_id: mia.organisation,
          id,
          title: 'Large',
          description: sql<string>`repeat('x', ${sql.lit(length)})`,
          duration_days: 1,
          initiatives: '[]',
          version,
          created_by: mia.id,
          created_at: at,
          updated_at: at,
        })
        .execute()
    })
  }
  const found: string[] = []
  let count = 0
  for (let since = 0, more = true; more; count += 1) {
    const { text } = await mia.get(`/api/v1/changes?since=${since}`)
    const page = JSON.parse(text) as Page
    const records = Object.values(page.data).flat()
    found.push(...records.map(({ id }) => id))
    if (records.length > 1) expect(text.length).toBeLessThan(PAGE_LENGTH)
    expect(page.version).toBeGreaterThan(since)
    expect(page.next).toBeUndefined()
    ;({ version: since, more } = page)
  }
  // All else of the organisation is in the first page: the membership of its owner.
  expect(found).toHaveLength(2 * LENGTHS.length + 1)
  expect(found).toEqual(expect.arrayContaining(ids))
  expect(count).toBe(5)
})
