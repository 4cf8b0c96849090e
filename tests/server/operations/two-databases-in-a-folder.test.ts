// An older server was started on a folder that had been moved to PostgreSQL: the newer data is put aside as the old
// one.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../server/database/database.ts'
import { moveToPostgres } from '../../../server/ops/move-to-postgres.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-two-databases-'))
  const path = folder
  onTestFinished(() => rmSync(path, { recursive: true }))
  for (const name of ['database', 'postgres']) {
    mkdirSync(join(path, name))
    writeFileSync(join(path, name, 'PG_VERSION'), name)
  }
})
const MARK = 'moving-to-postgres'
const foldersIn = () => readdirSync(folder).filter((name) => /^(database|postgres)/.test(name))

test.for([
  ['the start', moveToPostgres],
  ['a backup or another command', openDatabase],
] as const)(
  'two databases end %s, which names them with their last writes and leaves both',
  async ([, open]) => {
    for (const [name, day] of [
      ['postgres', '2026-03-01'],
      ['database', '2026-03-02'],
    ] as const) {
      mkdirSync(join(folder, name, 'global'))
      writeFileSync(join(folder, name, 'global/pg_control'), '')
      utimesSync(join(folder, name, 'global/pg_control'), new Date(day), new Date(day))
    }
    await expect(open(folder)).rejects.toThrow(
      `DATA_DIR holds two databases, ${folder}/postgres (last written 2026-03-01T00:00:00.000Z) and ${folder}/database (last written 2026-03-02T00:00:00.000Z). Move one away.`,
    )
    expect(foldersIn()).toEqual(['database', 'postgres'])
  },
)

test('a move that was killed before its last step is completed, beside what an earlier one kept', async () => {
  mkdirSync(join(folder, 'database-before-postgres/base'), { recursive: true })
  writeFileSync(join(folder, MARK), '')
  await moveToPostgres(folder)
  expect(foldersIn()).toEqual([
    'database-before-postgres',
    'database-before-postgres-2',
    'postgres',
  ])
  expect(existsSync(join(folder, MARK))).toBe(false)
})

test('what a move left after its last step is removed', async () => {
  rmSync(join(folder, 'database'), { recursive: true })
  writeFileSync(join(folder, MARK), '')
  await moveToPostgres(folder)
  expect(existsSync(join(folder, MARK))).toBe(false)
})
