// Many large rows: a backup read hundreds of them into memory at once, and a restore sent more in one statement than a
// database takes.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kyselyOn, type Tx } from '../../../server/database/connection.ts'
import type { Database } from '../../../server/database/database.ts'
import { dumpRows, restoreRows, writeBackup } from '../../../server/ops/backup.ts'
import { ApiFixture } from '../fixtures/api-fixture.ts'
import { emptyDatabase } from '../fixtures/empty-database.ts'

/** Of several rows together. */
const MAX_LENGTH = 5_000_000
/** In bytes; the last one alone is more than that. */
const TEMPLATES = [...Array<number>(60).fill(200_000), 6_000_000]

let folder: string
let world: ApiFixture
let restored: Database
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-large-rows-'))
  world = await ApiFixture.open()
  restored = await emptyDatabase()
})
afterAll(async () => {
  await restored.close()
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

interface Statement {
  sent: number
  received: number
  rows: number
}

const lengthOf = (values: readonly unknown[]) =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)

/** The transaction, which notes in `statements` how much text goes to the database and comes back. */
const noting = (tx: Tx, statements: Statement[]) =>
  kyselyOn(async (text, parameters) => {
    const { rows, numAffectedRows } = await tx.executeQuery<object>(
      CompiledQuery.raw(text, parameters),
    )
    const received = lengthOf(rows.flatMap((row) => Object.values(row) as unknown[]))
    statements.push({ sent: lengthOf(parameters), received, rows: rows.length })
    return { rows, affected: Number(numAffectedRows ?? 0) }
  })

test('a backup and its restore hold a few megabytes of rows at a time', async () => {
  const { id: created_by, organisation: organisation_id } = await world.createOwner('Mia')
  const at = world.now.toISOString()
  await world.database.system(async (tx) => {
    for (const [version, length] of TEMPLATES.entries())
      await tx
        .insertInto('templates')
        .values({
          organisation_id,
          id: uuidv7(),
          title: 'Large',
          description: 'x'.repeat(length),
          duration_days: 1,
          initiatives: '[]',
          version,
          created_by,
          created_at: at,
          updated_at: at,
        })
        .execute()
  })
  const file = join(folder, 'backup')
  const dumped: Statement[] = []
  await writeBackup(file, (write) =>
    world.database.snapshot((tx) => dumpRows(noting(tx, dumped), write)),
  )
  const inserted: Statement[] = []
  await restored.snapshot((tx) => restoreRows(noting(tx, inserted), file))
  const lengths = await restored.system((tx) =>
    tx.selectFrom('templates').select('description').orderBy('version').execute(),
  )
  expect(lengths.map(({ description }) => description?.length)).toEqual(TEMPLATES)
  const ofMany = dumped.filter(({ rows }) => rows > 1).map(({ received }) => received)
  expect(Math.max(...ofMany)).toBeLessThan(MAX_LENGTH)
  const sent = inserted.map((statement) => statement.sent).toSorted((a, b) => b - a)
  // The largest row goes alone.
  expect(sent[0]).toBeLessThan(6_100_000)
  expect(sent[1]).toBeLessThan(MAX_LENGTH)
})
