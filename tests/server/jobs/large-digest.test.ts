// The digest reads whole plans, once for each update of them, and all work of its reader: that of a large organisation
// ends the server for lack of memory, each morning.
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DEFAULT_CONSENTS } from '../../../contract/schemas/settings.ts'
import type { Database } from '../../../server/database/database.ts'
import { DigestFixture } from '../fixtures/digest-fixture.ts'

let scene: DigestFixture
beforeAll(async () => {
  scene = await DigestFixture.open()
})
beforeEach(() => scene.reset())
afterAll(() => scene.world.close())

const MANY = 20

/** Many items of every kind, for Jonas. */
async function createMuchWork(): Promise<void> {
  const { mia, jonas, world } = scene
  const description = 'D'.repeat(5_000)
  for (let count = 0; count < MANY; count += 1) {
    const status = 'in-progress'
    const plan = { title: `Plan ${count}`, owner_id: jonas.id, status, description }
    const id = await mia.createPlan(plan)
    await scene.update(id)
    await scene.action({ title: `Late ${count}`, due_date: scene.day(-3), success_plan_id: id })
    await scene.action({ title: `Near ${count}`, due_date: scene.day(2) })
    world.advance({ seconds: 10 })
  }
  const last_update_at = `${scene.day(-15)}T00:00:00.000Z`
  await world.database.system((tx) =>
    tx
      .updateTable('success_plans')
      .set({ last_update_at })
      .where('organisation_id', '=', mia.organisation)
      .execute(),
  )
}

/** Sends the digest of Jonas, and returns it with what each statement for it has read. */
async function digestAndReads() {
  const reads: object[][] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult({ result }) {
      reads.push(result.rows)
      return Promise.resolve(result)
    },
  }
  const { database, mails } = scene.world
  const watched: Database = {
    ...database,
    system: (work) => database.system((tx) => work(tx.withPlugin(plugin))),
  }
  scene.world.advance({ minutes: 11 * 60 })
  await scene.send(watched)
  const text = mails.findLast(({ to }) => to === scene.jonas.email)?.text ?? ''
  return { text, reads: reads.map((rows) => JSON.stringify(rows)) }
}

test('of many items a digest reads those that it names, and no more of a plan than its title', async () => {
  await createMuchWork()
  const { text, reads } = await digestAndReads()
  // The late actions and the near ones are assigned.
  expect(text.match(/^and \d+ more$/gm)).toEqual([5, 5, 25, 5, 5, 5].map((n) => `and ${n} more`))
  for (const read of reads) {
    expect(read).not.toContain('DDDD')
    expect(read.match(/"title"/g)?.length ?? 0).toBeLessThanOrEqual(15)
  }
})

test('what the reader has refused is not read', async () => {
  await createMuchWork()
  const { email } = DEFAULT_CONSENTS
  const refused = Object.fromEntries(Object.keys(email).map((kind) => [kind, false]))
  await scene.consent({ email: refused })
  const { reads } = await digestAndReads()
  expect(reads.filter((read) => read.includes('"title"'))).toEqual([])
})
